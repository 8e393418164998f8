// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "ad4f5beb2419",
  local: "c49b476d6f14",
  task: "3a4e3124be93",
};
