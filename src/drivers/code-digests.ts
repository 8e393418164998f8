// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "12d21bbbe19d",
  local: "6aead4a7d8f7",
  task: "c24c4d4b7230",
};
