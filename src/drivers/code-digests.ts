// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8a777df2d4ea",
  local: "8af812a7007b",
  task: "fa539b6af56d",
};
