// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "993956c6a9e4",
  local: "cd65b3235f66",
  task: "fc5f7e58296c",
};
