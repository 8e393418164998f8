// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a4e68156b34c",
  local: "a2e119f6ad35",
  task: "a232c4e68b78",
};
