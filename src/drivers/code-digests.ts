// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "af7c6026960c",
  local: "a334cd2ff1af",
  task: "0333d3a638e2",
};
