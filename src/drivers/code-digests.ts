// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2db203b0e75e",
  local: "b6b0d320cc12",
  task: "f8886fe8072e",
};
