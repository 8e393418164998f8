// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "98a3efa3f752",
  local: "b6b0d320cc12",
  task: "060455679032",
};
