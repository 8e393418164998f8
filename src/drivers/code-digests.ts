// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "b8ddc3f91385",
  local: "9721c31a0fd8",
  task: "15c37fc8317e",
};
