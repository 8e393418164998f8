// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6548aad59d60",
  local: "a6df42f54a89",
  task: "af21b89d81a1",
};
