// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "31d80c0f1280",
  local: "4f0ddcb448c9",
  task: "1df6a699c975",
};
