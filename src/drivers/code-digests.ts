// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "0d55fa2cb0d1",
  local: "b6b0d320cc12",
  task: "3c99d94843ac",
};
