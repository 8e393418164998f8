// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "d4c317172eba",
  local: "5d80b417527c",
};
