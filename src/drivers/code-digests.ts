// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "40d3ae2f681f",
  local: "e3c2d8642501",
  task: "4c387c815384",
};
