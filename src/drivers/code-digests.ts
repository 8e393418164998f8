// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "1d1a49b7653e",
  local: "2b8edc26139c",
  task: "a0a85e106f81",
};
