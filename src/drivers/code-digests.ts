// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "c0ada9a6fc01",
  local: "af4b1d7b3ed2",
};
