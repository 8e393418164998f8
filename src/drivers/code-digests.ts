// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8a41023685bc",
  local: "a73dcb21dabd",
  task: "ce0e7f84887d",
};
