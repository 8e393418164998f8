// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "89a030dc2672",
  local: "e6c15001be69",
  task: "77c55c5528a5",
};
