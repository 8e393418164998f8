// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "b7e73331fa3e",
  local: "9d270a8f2dff",
  task: "a384c9e8ffb8",
};
