// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "c52f97fe003e",
  local: "4f8f0f1ec974",
  task: "50f96f5fdd0f",
};
