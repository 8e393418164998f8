// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "da9af332378b",
  local: "b9de404e58fe",
  task: "621f3b6960d5",
};
