// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "d99676e9ed70",
  local: "cd65b3235f66",
};
