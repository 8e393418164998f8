// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "06eb6e22af28",
  local: "eef632c8ddc2",
  task: "a8bbb6958d53",
};
