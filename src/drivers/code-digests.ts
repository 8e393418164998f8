// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "104491bf0bea",
  local: "07f0a0e0d503",
  task: "aef764caa500",
};
