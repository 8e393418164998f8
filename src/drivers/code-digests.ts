// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5e161a92a60e",
  local: "07f0a0e0d503",
  task: "8dcf8a381f7d",
};
