// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "44bae371e67e",
  local: "592652ef84b7",
  task: "7f0f041efe60",
};
