// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "e0205e00a0b5",
  local: "2b8edc26139c",
  task: "271115f83ffe",
};
