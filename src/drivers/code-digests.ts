// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "cf07241cb94f",
  local: "e3f1c344d24e",
  task: "8fad5a6ca3c1",
};
