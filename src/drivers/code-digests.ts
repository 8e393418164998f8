// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "fc5ac87c4a72",
  local: "5fe052992a73",
  task: "bf7dd77b0dda",
};
