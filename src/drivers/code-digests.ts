// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "4863672d3a0d",
  local: "8aa21e9f49d0",
  task: "9326e3b2e00d",
};
