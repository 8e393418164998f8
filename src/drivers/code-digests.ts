// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "9a72e4ba2ce4",
  local: "93f14dc43ff8",
  task: "7f4b1be682fa",
};
