// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6564626c3a83",
  local: "b9944417d86b",
  task: "d8e6fe2101db",
};
