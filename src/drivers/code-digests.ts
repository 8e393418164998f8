// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "7db40c616600",
  local: "6a92dca25c66",
  task: "9540f39f87af",
};
