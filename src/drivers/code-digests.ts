// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3626eb1c9389",
  local: "ee64861c0e30",
  task: "8bdb1a7513c3",
};
