// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "22eb9a3ac6ac",
  local: "2c98e434ca0f",
  task: "54c3979bac0c",
};
