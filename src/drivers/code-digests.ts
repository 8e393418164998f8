// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "c5d274db1599",
  local: "9138e774ef27",
  task: "d9073e8629a2",
};
