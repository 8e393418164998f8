// Made by `bun run docs`: the digest of the code, the prompts and the tools beside it.
export const CODE_DIGEST = "48b9b4b8cb9b";
