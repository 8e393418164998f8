// Made by `bun run docs`: the digest of the code, the prompts and the tools beside it.
export const CODE_DIGEST = "b254e51fc80e";
