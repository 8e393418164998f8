// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "51b3bb4d1762",
  local: "00b58e29db88",
};
