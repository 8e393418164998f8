// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "921a50df5738",
  local: "461329845e28",
  task: "4024b8fbb352",
};
