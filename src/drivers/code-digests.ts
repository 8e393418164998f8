// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "8e36e3422826",
  local: "fab3e31edbae",
  task: "29ae90693fda",
};
