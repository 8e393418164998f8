// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5e161a92a60e",
  local: "d30d34705ade",
  task: "8dcf8a381f7d",
};
