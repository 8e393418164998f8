// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5838b160eb74",
  local: "4e0912d88f67",
  task: "f55880572653",
};
