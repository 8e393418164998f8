// Made by `bun run docs`: the digest of each driver's code, with all of the project that it imports.
export const CODE_DIGESTS = {
  live: "9606abb15fce",
  local: "93b4e610d8ee",
  task: "259365eb4c6f",
};
