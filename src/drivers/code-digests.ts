// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "7492dfa5bfac",
  local: "44e45204538f",
  task: "20ac7a77eec0",
};
