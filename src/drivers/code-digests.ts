// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "98ec61ceec08",
  local: "c1ce9ca1267b",
  task: "001f095825ae",
};
