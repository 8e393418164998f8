// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8994cd3b3630",
  local: "9a2e63e5afd9",
  task: "d12b376ea693",
};
