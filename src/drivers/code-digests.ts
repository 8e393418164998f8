// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "4229c6600a50",
  local: "1d6071085fc0",
};
