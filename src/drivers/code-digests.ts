// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "c79a9fe47663",
  local: "e3078bcd1fb8",
};
