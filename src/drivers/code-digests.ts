// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "f660dbec1550",
  local: "70da6c2ed5f1",
  task: "f4970c158503",
};
