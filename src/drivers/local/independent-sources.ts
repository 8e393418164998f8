// Groups the sources that are near copies of each other: what one of them says, the others do not say once more.
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import { hasUnspacedScript } from "../../corpus/terms.ts";
import { sharedCount } from "./similarity.ts";

/** A near copy can be told by how a document begins. */
const READ_BYTES = 40_000;
const WORDS_PER_SHINGLE = 5;
/** Of the shorter document's shingles. */
const NEAR_COPY = 0.6;
const MIN_SHINGLES = 8;

/** For each source digest the digest of the first source that it is a near copy of, or its own. */
export async function independentSources(
  digests: readonly string[],
  tools: TaskTools,
): Promise<ReadonlyMap<string, string>> {
  const pacer = new Pacer(tools.signal);
  const groups = new Map<string, string>();
  const firsts: { digest: string; shingles: ReadonlySet<string> }[] = [];
  for (const digest of [...new Set(digests)].sort()) {
    await pacer.pause();
    const shingles = await shinglesOf(digest, tools);
    const first = firsts.find((other) => isNearCopy(shingles, other.shingles));
    groups.set(digest, first?.digest ?? digest);
    if (first === undefined) firsts.push({ digest, shingles });
  }
  return groups;
}

async function shinglesOf(digest: string, tools: TaskTools): Promise<ReadonlySet<string>> {
  const text = new TextDecoder().decode((await tools.sourceText(digest)).subarray(0, READ_BYTES));
  const plain = text.toLowerCase();
  const words = hasUnspacedScript(plain)
    ? (plain.match(/[\p{L}\p{N}]/gu) ?? [])
    : (plain.match(/[\p{L}\p{N}]+/gu) ?? []);
  const shingles = new Set<string>();
  for (let at = 0; at + WORDS_PER_SHINGLE <= words.length; at++)
    shingles.add(words.slice(at, at + WORDS_PER_SHINGLE).join(" "));
  return shingles;
}

function isNearCopy(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const fewer = Math.min(left.size, right.size);
  return fewer >= MIN_SHINGLES && sharedCount(left, right) / fewer >= NEAR_COPY;
}
