// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "6f6cba45db62",
  local: "4e0912d88f67",
  task: "c149d9250afd",
};
