// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a9c0d166ed35",
  local: "0a7c0ecdc2ed",
  task: "ec35e907d22c",
};
