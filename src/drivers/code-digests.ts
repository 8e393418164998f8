// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "08ae35d0f7c8",
  local: "859e498c5ff2",
  task: "d436481c04f4",
};
