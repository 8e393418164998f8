// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "b983e41b79f4",
  local: "07f0a0e0d503",
  task: "aedad3a33a2d",
};
