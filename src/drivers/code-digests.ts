// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a9a090df1282",
  local: "63b44ea19950",
};
