// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "10e55ff90d31",
  local: "00b58e29db88",
};
