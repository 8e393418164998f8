// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a9c0d166ed35",
  local: "be401f5f4fbe",
  task: "ec35e907d22c",
};
