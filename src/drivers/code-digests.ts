// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "ff72974b263a",
  local: "c49b476d6f14",
  task: "3eb91cf8df45",
};
