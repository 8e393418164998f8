// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "ab84b73d8639",
  local: "cecdf594bf1f",
  task: "a5807a60608c",
};
