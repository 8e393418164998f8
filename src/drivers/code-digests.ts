// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "4ee323cf7076",
  local: "c49b476d6f14",
  task: "877d17712bd6",
};
