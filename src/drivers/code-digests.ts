// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "416db8c45ce0",
  local: "cecdf594bf1f",
  task: "3bbddf1da93c",
};
