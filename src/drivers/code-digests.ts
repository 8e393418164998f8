// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "21cf309074d8",
  local: "efaa120916e3",
  task: "c5a58829a8fa",
};
