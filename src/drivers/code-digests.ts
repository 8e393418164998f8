// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "f5e14ca52eff",
  local: "6feaa660e78a",
  task: "65f9aeb5f845",
};
