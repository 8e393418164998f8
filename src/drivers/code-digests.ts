// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "031cb2197dcb",
  local: "8aa21e9f49d0",
  task: "948ebbfd7639",
};
