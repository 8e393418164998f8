// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "da7615aae9a5",
  local: "a6387d4d0b42",
  task: "b0b6f45d89c0",
};
