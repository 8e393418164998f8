// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "862f49430440",
  local: "4f8f0f1ec974",
  task: "03c0494ef764",
};
