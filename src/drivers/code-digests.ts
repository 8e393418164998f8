// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "61c239bb0cd0",
  local: "9a2e63e5afd9",
  task: "451486ee35f4",
};
