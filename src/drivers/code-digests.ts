// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "23684195ad70",
  local: "e0d9f1013240",
};
