// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "d151d22d511e",
  local: "c2b3157297c3",
  task: "02624623210d",
};
