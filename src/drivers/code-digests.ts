// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "70784a40cec3",
  local: "1e5cd29c723d",
  task: "8e191b532840",
};
