// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "beb599a21fa1",
  local: "656b8e17e0ad",
  task: "126f75bd31eb",
};
