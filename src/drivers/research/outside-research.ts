// Has an agent or a person outside do research. All quotes come in one answer, and each is looked up in the document that it names.
import type { OutsideWork } from "../../ports/driver.ts";
import { emptinessOf, spanKey } from "../../run/report/source.ts";
import { answerFromOutside } from "../asking/answer-from-outside.ts";
import { SourceText } from "./exact-span.ts";
import { limitReached } from "./quote-tools.ts";
import { outsideResearchBrief, type Angle, type FoundOutside } from "./research-brief.ts";
import type { NotedGap, Quoted } from "./research-state.ts";

export interface Researched {
  quotes: Quoted[];
  gaps: NotedGap[];
  notes: string[];
  /** The searches that were answered, where they are known. */
  queries?: string[];
}

export async function researchedOutside(angle: Angle, outside: OutsideWork): Promise<Researched> {
  const brief = outsideResearchBrief(angle, outside.documents);
  return await answerFromOutside(
    {
      ...brief,
      async problemsOf(found) {
        const { problems } = await lookedUp(found, angle, outside);
        return [...(await brief.problemsOf(found)), ...problems];
      },
      async resultOf({ gaps = [], notes = [], ...found }) {
        const { quotes } = await lookedUp(found, angle, outside);
        const known = new Set(angle.parts.map(({ id }) => id));
        const noted = gaps.map(({ part_ids = [], ...gap }) => ({
          ...gap,
          part_ids: part_ids.filter((id) => known.has(id)),
        }));
        return { quotes, gaps: noted, notes };
      },
    },
    outside,
  );
}

/** The quotes that were found, with their spans, and the problems of all of them. */
async function lookedUp(
  { quotes }: Pick<FoundOutside, "quotes">,
  { parts, limits }: Angle,
  outside: OutsideWork,
): Promise<{ quotes: Quoted[]; problems: string[] }> {
  const known = parts.map(({ id }) => id);
  const found = new Map<string, Quoted>();
  const texts = new Map<string, SourceText>();
  const problems: string[] = [];
  for (const [index, { document, text, statement, part_ids }] of quotes.entries()) {
    const refuse = (why: string): unknown => problems.push(`quote ${index + 1}: ${why}`);
    const unknown = part_ids.find((id) => !known.includes(id));
    if (unknown !== undefined) refuse(`there is no part ${unknown}; there are: ${known.join(", ")}`);
    const empty = emptinessOf({ text });
    if (empty !== null) refuse(empty);
    const source = await opened(document, outside);
    if (typeof source === "string") {
      refuse(source);
      continue;
    }
    const { source_digest, title, origin, media_type } = source.source;
    const searched = texts.get(source_digest) ?? new SourceText(source.text);
    texts.set(source_digest, searched);
    const span = searched.spanOf(text);
    if (span === null) {
      refuse(notThere(searched, text));
      continue;
    }
    const lost = empty === null ? emptinessOf(span) : null;
    if (lost !== null) refuse(lost);
    const quoted = { source_digest, title, origin, media_type, ...span, statement, part_ids };
    found.set(spanKey(quoted), quoted);
  }
  const full = limitReached([...found.values()], limits);
  return { quotes: [...found.values()], problems: full === null ? problems : [...problems, full] };
}

/** Opens a document by its name, or else by its path inside one of the folders. Returns the problem when none can be read. */
async function opened(name: string, outside: OutsideWork) {
  const names = [name, ...outside.documents.folders.map((folder) => `${folder.name}/${name}`)];
  let why = "";
  for (const one of names) {
    const kept = await outside.open(one);
    if (kept.kind === "kept") return kept;
    why ||= kept.kind === "gone" ? kept.reason : "it has changed since the run was made";
  }
  return `the document ${JSON.stringify(name)} cannot be read (${why})`;
}

function notThere(source: SourceText, text: string): string {
  const difference = source.firstDifference(text);
  if (difference === null) return "this text is not in the document";
  const { same, source: behind, quote } = difference;
  return `it differs behind ${JSON.stringify(same)}: the document has ${JSON.stringify(behind)}, you have ${JSON.stringify(quote)}`;
}
