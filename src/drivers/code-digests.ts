// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e6711e55af8b",
  local: "1444932af825",
};
