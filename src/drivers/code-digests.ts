// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "104491bf0bea",
  local: "d30d34705ade",
  task: "aef764caa500",
};
