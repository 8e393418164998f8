// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2228852eaf7e",
  local: "52876c15ab99",
  task: "b0b6f45d89c0",
};
