// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "b7d7499e1d18",
  local: "8f7c1b809bcc",
  task: "d854255b0b43",
};
