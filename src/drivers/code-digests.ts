// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e1eeb4f53478",
  local: "d30d34705ade",
  task: "3ecc74325a15",
};
