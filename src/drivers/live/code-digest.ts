// Made by `bun run docs`: the digest of the code, the prompts and the tools beside it.
export const CODE_DIGEST = "b1f207580f1f";
