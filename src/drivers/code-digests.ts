// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "fe82ce90e553",
  local: "4f0ddcb448c9",
  task: "0f14211bb296",
};
