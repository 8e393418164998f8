// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "5c933afde982",
  local: "51a4b211d5d0",
  task: "392f9660b907",
};
