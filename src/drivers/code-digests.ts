// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "91577a91b2eb",
  local: "c49b476d6f14",
  task: "10bb33dce7f1",
};
