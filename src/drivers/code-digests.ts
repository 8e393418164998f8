// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "fdb935831889",
  local: "b6b0d320cc12",
  task: "6c31e0e10eef",
};
