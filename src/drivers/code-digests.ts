// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2a4a84c7d83d",
  local: "4f0ddcb448c9",
  task: "8e95be062ea5",
};
