// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "41b3e7248ec1",
  local: "5d80b417527c",
};
