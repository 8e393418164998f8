// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8f9e13a6bbd1",
  local: "fd383fffe414",
  task: "21a3abbb5a04",
};
