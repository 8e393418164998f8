// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "bb54ac034d17",
  local: "96c3af7e378b",
  task: "aac379d43a5f",
};
