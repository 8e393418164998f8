// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3930693a9dd5",
  local: "c7a46e66a4be",
  task: "b018dadfe3dd",
};
