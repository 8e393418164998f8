// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "0f921c75b804",
  local: "739c5ba78646",
  task: "34c59c0b10b6",
};
