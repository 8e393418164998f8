// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "068c42ee7bed",
  local: "4f0ddcb448c9",
  task: "b46a7132860e",
};
