// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "47aac75e61ab",
  local: "b8ad308e819b",
  task: "f753b649b5bf",
};
