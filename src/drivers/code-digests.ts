// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "46ead459f7d6",
  local: "4f0ddcb448c9",
  task: "8abbe93ad704",
};
