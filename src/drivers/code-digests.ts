// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "1dfb52ade9bb",
  local: "04d6b4cb91b8",
  task: "abf2bec1ae84",
};
