// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "11ec59381104",
  local: "f1494785f1d3",
  task: "3fe854d262db",
};
