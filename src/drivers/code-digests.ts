// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "64829f941305",
  local: "a2c9216ff854",
  task: "45eb0656e4f3",
};
