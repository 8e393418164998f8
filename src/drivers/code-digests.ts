// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e3937cc75704",
  local: "00b58e29db88",
};
