// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "c29a3f564cf7",
  local: "817f37175913",
  task: "400c443f4254",
};
