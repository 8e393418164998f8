// Made by `bun run docs`: the digest of the code, the prompts and the tools beside it.
export const CODE_DIGEST = "bb5496ff2a6a";
