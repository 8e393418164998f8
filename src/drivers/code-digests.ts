// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3a4d28967592",
  local: "461329845e28",
  task: "982c8b647d7d",
};
