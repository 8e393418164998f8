// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "75a89cae0cf7",
  local: "cd65b3235f66",
  task: "3f1634166ec1",
};
