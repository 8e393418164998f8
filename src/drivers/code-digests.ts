// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "af823b8ed586",
  local: "a73dcb21dabd",
  task: "0335ecb4cb5d",
};
