// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "64829f941305",
  local: "dd38b648fce3",
  task: "45eb0656e4f3",
};
