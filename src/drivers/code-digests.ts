// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "1d50c5fc6b64",
  local: "cd65b3235f66",
  task: "4f7c2ab38bdc",
};
