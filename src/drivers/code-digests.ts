// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "20cf58b92a30",
  local: "2ae9c2dcd32a",
  task: "5db9271c0657",
};
