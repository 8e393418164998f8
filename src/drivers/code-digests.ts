// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3c434e5f700c",
  local: "592652ef84b7",
  task: "a5fbcffb2dc8",
};
