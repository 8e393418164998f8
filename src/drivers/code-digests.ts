// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6962aa2bb1fc",
  local: "4f0ddcb448c9",
  task: "08a66c0a18ec",
};
