// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "db0a8bb60c7d",
  local: "c49b476d6f14",
  task: "84af4c38413e",
};
