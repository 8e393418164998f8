// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "f6142b922e02",
  local: "44e45204538f",
  task: "0bccbc2d9edb",
};
