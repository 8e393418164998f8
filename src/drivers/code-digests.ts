// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "723b9eed8273",
  local: "3e54e20ea91a",
  task: "bdc15b347b06",
};
