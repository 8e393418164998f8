// Made by `bun run docs`: the digest of the code, the prompts and the tools beside it.
export const CODE_DIGEST = "1509f4923395";
