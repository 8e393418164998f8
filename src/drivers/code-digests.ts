// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3d4a1238823c",
  local: "566ac126c2ef",
  task: "bc49e08663b9",
};
