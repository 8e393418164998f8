// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "cceb3b949d9e",
  local: "2b3536d54e7d",
  task: "a70f8d5a9454",
};
