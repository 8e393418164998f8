// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2bae5c691ec7",
  local: "8a65575989e8",
  task: "993ac5361970",
};
