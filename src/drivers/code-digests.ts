// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "50f5fd022a91",
  local: "461329845e28",
  task: "4548c98215f7",
};
