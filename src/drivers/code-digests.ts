// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8385652c6131",
  local: "79c9846c4bee",
};
