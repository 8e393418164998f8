// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2c7c8c764d64",
  local: "ea8377680ac1",
  task: "919eb5ed83c3",
};
