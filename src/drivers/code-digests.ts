// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "77a37f361bc9",
  local: "07f0a0e0d503",
  task: "271ddb655e85",
};
