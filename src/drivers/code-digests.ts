// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "618ada98e007",
  local: "c250137e1234",
  task: "d948fa314fe0",
};
