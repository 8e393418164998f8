// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a97814619bea",
  local: "44e45204538f",
  task: "75006a603160",
};
