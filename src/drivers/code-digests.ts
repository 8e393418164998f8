// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "862f49430440",
  local: "04d6b4cb91b8",
  task: "03c0494ef764",
};
