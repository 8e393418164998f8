// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "0d55fa2cb0d1",
  local: "5213c7b3d9f2",
  task: "3c99d94843ac",
};
