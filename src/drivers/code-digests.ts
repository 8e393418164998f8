// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "57888f58ea2f",
  local: "f1446cdaac3f",
  task: "85f63e9e6706",
};
