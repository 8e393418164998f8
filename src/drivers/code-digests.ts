// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "66de7143c3e2",
  local: "9721c31a0fd8",
  task: "15c37fc8317e",
};
