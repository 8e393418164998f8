// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "339daa5f9077",
  local: "461329845e28",
  task: "aa17fa0a7872",
};
