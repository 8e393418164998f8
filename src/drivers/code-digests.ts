// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "92bf7f2b2971",
  local: "4bf0d4bb788b",
  task: "67fc759b3eb3",
};
