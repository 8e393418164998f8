// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5f7c783a3a84",
  local: "b9de404e58fe",
  task: "64ed91fc7abc",
};
