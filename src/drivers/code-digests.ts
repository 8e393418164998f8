// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a51e15c10938",
  local: "31e118a38b34",
  task: "63992ee594c0",
};
