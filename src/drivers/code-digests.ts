// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "661c1ee81ce9",
  local: "93f14dc43ff8",
  task: "0b5726d2a21a",
};
