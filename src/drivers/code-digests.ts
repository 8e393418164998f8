// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "609c413b07a8",
  local: "e3078bcd1fb8",
};
