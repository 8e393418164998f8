// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3b13ebf6146a",
  local: "44e45204538f",
  task: "f1be196187f8",
};
