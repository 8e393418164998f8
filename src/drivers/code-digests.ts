// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "416206ea4ef5",
  local: "93f14dc43ff8",
  task: "55f5a81f0d26",
};
