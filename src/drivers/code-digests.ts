// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "ed6e76d084cc",
  local: "b9de404e58fe",
  task: "39864103359b",
};
