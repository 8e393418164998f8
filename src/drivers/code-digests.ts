// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "3c172d43fd1b",
  local: "809a80dc8e8f",
  task: "9cf332ac58a6",
};
