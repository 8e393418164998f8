// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8eec0254a18d",
  local: "ea8377680ac1",
  task: "b9821441094f",
};
