// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "35ea3c7807c9",
  local: "d30d34705ade",
  task: "cfe9d1208273",
};
