// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3106c115a56e",
  local: "b1a9afc020e2",
};
