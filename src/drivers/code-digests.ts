// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "67d86287b37f",
  local: "c7a46e66a4be",
  task: "b8df89f12ef9",
};
