// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5d549e5c3d86",
  local: "011f6731e3d4",
  task: "9002ea3062eb",
};
