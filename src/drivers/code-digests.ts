// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "12d21bbbe19d",
  local: "31e118a38b34",
  task: "c24c4d4b7230",
};
