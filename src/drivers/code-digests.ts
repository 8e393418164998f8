// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "f75e3dc58315",
  local: "79c9846c4bee",
};
