// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "47db9e121b8c",
  local: "44e45204538f",
  task: "59dc14d657b5",
};
