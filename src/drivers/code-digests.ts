// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "ce3341a2a57b",
  local: "5d80b417527c",
};
