// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8b3fd7c9c5ff",
  local: "199c29928e13",
  task: "31b683ca9e69",
};
