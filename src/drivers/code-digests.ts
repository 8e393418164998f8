// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "974c2e6e0d3d",
  local: "5d80b417527c",
};
