// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6b6e6217080a",
  local: "31a63f582fea",
  task: "48c2cfc38d81",
};
