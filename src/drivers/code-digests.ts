// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "c7f74839546c",
  local: "c49b476d6f14",
  task: "2640fb202d24",
};
