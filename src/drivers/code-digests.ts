// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "7c0b17c42644",
  local: "bb5a8986e2a7",
  task: "75e7372cf485",
};
