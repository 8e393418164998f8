// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "adade68f9256",
  local: "4b9802734b75",
};
