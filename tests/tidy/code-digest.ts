// The digests of what the drivers are made of: each one's code, prompts and tools with all that they import, text files included.
import { join } from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";

const PROJECT = join(import.meta.dir, "../..");
const DRIVERS = ["live", "local", "task"] as const;
const LENGTH = 12;

export const CODE_DIGESTS = "src/drivers/code-digests.ts";

/** What that file has to hold. */
export async function codeDigestsText(): Promise<string> {
  const entries = await Promise.all(DRIVERS.map(async (driver) => `  ${driver}: "${await codeDigest(driver)}",\n`));
  return `// Made by \`bun run docs\`: the digest of each driver's code, with all of the project that it imports.\nexport const CODE_DIGESTS = {\n${entries.join("")}};\n`;
}

/**
 * Of the bundle that a driver's file makes, minified: comments, white space and names of variables do not count, nor
 * does code that the driver does not use, nor the place of the folder. Another version of Bun may write another bundle.
 */
export async function codeDigest(driver: (typeof DRIVERS)[number], project: string = PROJECT): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(project, `src/drivers/${driver}.ts`)],
    target: "bun",
    minify: true,
    packages: "external",
    // It holds what is made here.
    external: ["*/code-digests.ts"],
  });
  const [bundle] = outputs;
  if (bundle === undefined || outputs.length > 1)
    throw new Error(`the driver ${driver} makes ${outputs.length} bundles`);
  const digest = digestOfBytes(await bundle.text());
  return digest.slice("sha256:".length, "sha256:".length + LENGTH);
}
