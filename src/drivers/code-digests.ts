// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "9ecf769d65ba",
  local: "809a80dc8e8f",
  task: "a2c570796ca8",
};
