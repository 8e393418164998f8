// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "27c5fe76e764",
  local: "71a73486fd29",
  task: "7449c5277420",
};
