// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "841050c4b11c",
  local: "d30d34705ade",
  task: "c8d65de38cb4",
};
