// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6e79077d41dd",
  local: "9a2e63e5afd9",
  task: "848efa9ba6f2",
};
