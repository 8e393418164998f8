// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6071eada1763",
  local: "5d80b417527c",
};
