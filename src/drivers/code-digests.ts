// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6fb0bde591d7",
  local: "461329845e28",
  task: "dae7265de5fd",
};
