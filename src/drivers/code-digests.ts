// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "591037758957",
  local: "b1a8713ff96b",
  task: "fa617666ecdf",
};
