// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "0debd612fcd9",
  local: "b9de404e58fe",
  task: "b23cfcda593d",
};
