// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "36d13d487b2b",
  local: "2da789933447",
  task: "7339fe0f9fc7",
};
