// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e535b5a03e63",
  local: "8aa21e9f49d0",
  task: "f8e0038797b1",
};
