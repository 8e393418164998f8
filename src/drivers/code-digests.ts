// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "a144e9b2983c",
  local: "d64ea864dc31",
  task: "b13e212b7534",
};
