// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "f4e178921aa2",
  local: "c6b75143b173",
  task: "eccfb557be07",
};
