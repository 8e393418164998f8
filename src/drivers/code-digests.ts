// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "10e55ff90d31",
  local: "36d65126f6e7",
};
