// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "9dca2e105c6a",
  local: "3538c46cc16e",
  task: "57e43be1fbb8",
};
