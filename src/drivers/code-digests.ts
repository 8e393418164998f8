// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e7bd97788e31",
  local: "07f0a0e0d503",
  task: "17c20997d524",
};
