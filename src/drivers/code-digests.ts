// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "94e9108210de",
  local: "ad5cd8ca5995",
  task: "6ef20c67eda6",
};
