// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "ca37528505a1",
  local: "dc5a6bc26f00",
  task: "db1bf120b310",
};
