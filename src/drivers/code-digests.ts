// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "39e0927130cf",
  local: "d646cd39d824",
  task: "7e807b6c1500",
};
