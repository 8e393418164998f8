// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5f27f05d71b3",
  local: "b8ad308e819b",
  task: "9b7e035af8d4",
};
