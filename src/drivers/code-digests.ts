// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "408a9d7fb736",
  local: "c49b476d6f14",
  task: "bdfda2239f76",
};
