// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2bbd5710f306",
  local: "dc0d15da658b",
  task: "28ba0442d923",
};
