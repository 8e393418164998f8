// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "2b165e1fb9df",
  local: "93f14dc43ff8",
  task: "42c1cecee693",
};
