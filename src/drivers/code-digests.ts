// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "074171929ae3",
  local: "7b98acbd181d",
  task: "05c4bb60ce9c",
};
