// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "bb76206af7e1",
  local: "dfa938880d51",
  task: "b67d3965fad0",
};
