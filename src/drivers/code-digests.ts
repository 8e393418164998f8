// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "0d23af95e2bb",
  local: "5213c7b3d9f2",
  task: "414f54eb6a02",
};
