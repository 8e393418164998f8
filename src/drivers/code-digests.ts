// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "64159c3529cc",
  local: "1e070f9cb51a",
  task: "84fe74a3dc6c",
};
