// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "db8f5b9be959",
  local: "4f0ddcb448c9",
  task: "fee9d9c2214c",
};
