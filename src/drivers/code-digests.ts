// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a51e15c10938",
  local: "f96afb35138f",
  task: "63992ee594c0",
};
