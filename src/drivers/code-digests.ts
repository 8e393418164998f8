// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "401d407b613e",
  local: "7ee1c12e722b",
  task: "93a3e5a4948e",
};
