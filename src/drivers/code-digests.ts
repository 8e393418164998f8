// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8f16a694b4fe",
  local: "cd65b3235f66",
  task: "5087e07ff752",
};
