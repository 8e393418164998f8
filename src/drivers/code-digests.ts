// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "1e872fc747b2",
  local: "809a80dc8e8f",
  task: "7842b7ecef8d",
};
