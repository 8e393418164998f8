// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e34043bf823c",
  local: "cd65b3235f66",
  task: "621d2f3e6056",
};
