// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "b2f8f637920e",
  local: "0f0c35e0c588",
  task: "96d6b41f55c6",
};
