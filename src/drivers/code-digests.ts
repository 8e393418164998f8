// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "cceb3b949d9e",
  local: "73185bb8d1c6",
  task: "a70f8d5a9454",
};
