// The tools `quote` and `note_gap` record what a researcher finds. Nothing else reaches the report.
import { given } from "../../kernel/given.ts";
import { z } from "../../kernel/zod.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Tool, ToolAnswer } from "../../ports/driver.ts";
import { subjectIdSchema } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { emptinessOf, spanKey } from "../../run/report/source.ts";
import type { Message } from "../../run/model/conversation.ts";
import { objectTool } from "../asking/object-tool.ts";
import { nameAmong, readAnswer } from "../asking/read-answer.ts";
import { SourceText } from "./exact-span.ts";
import { answered, isSafeToRead, openedOf, readSource, refused, type Reading } from "./reading.ts";
import { documentOf, ResearchState, type Opened, type Quoted } from "./research-state.ts";

const quoteArgumentsSchema = z.object({
  document: z.string().describe('the name that a search gave the document, as "d3"'),
  text: z.string().min(1).max(2_000).describe("the words of the document: one or several sentences, or a paragraph"),
  statement: z.string().min(1).max(600).describe("what the quote says, in one sentence that names its subject"),
  part_ids: z.array(subjectIdSchema).min(1).describe("the parts of the question that it answers"),
  replaces: z
    .int()
    .optional()
    .describe("at the limit: the number of a recorded quote that this one is kept instead of"),
});

export function quoteTool(options: Reading): Tool {
  const { messages, parts, limits } = options;
  const known = parts.map(({ id }) => id);
  return objectTool({
    name: "quote",
    description:
      "Records words of a document with the statement that they support. It need not be open: what a search showed can be quoted. White space, quotation marks and dashes may be spelled otherwise; nothing else may differ or be left out. Several quotes in one reply are welcome. What is not recorded does not reach the report.",
    schema: quoteArgumentsSchema,
    isSafe: ({ document }) => isSafeToRead(options, document),
    async run({ document, text, statement, part_ids, replaces }) {
      const unknown = part_ids.find((id) => !known.includes(id));
      if (unknown !== undefined) return refused(`There is no part ${unknown}. There are: ${known.join(", ")}.`);
      const empty = emptinessOf({ text });
      if (empty !== null) return refused(`This is no quote: ${empty}.`);
      const source = await readSource(options, document);
      if ("is_error" in source) return source;
      const searched = new SourceText(source.text);
      const span = searched.spanOf(text);
      const stored = openedOf(source);
      if (span === null) {
        const elsewhere = shownIn(messages(), text);
        return elsewhere === undefined || elsewhere === source.document
          ? missing(searched, text, stored)
          : refused(JSON.stringify({ refused: `This text is not in ${source.document}, but in ${elsewhere}.` }), {
              stored,
            });
      }
      const lost = emptinessOf(span);
      if (lost !== null) return refused(`This is no quote: ${lost}.`, { stored });
      const { document: _name, ...ofSource } = stored;
      const quoted: Quoted = { ...ofSource, ...span, statement, part_ids };
      const state = new ResearchState(messages());
      const recorded = state.numberedQuotes();
      const same = [...recorded.values()].find((one) => spanKey(one) === spanKey(quoted));
      if (same?.statement === statement)
        return refused(`This quote is recorded already. ${WHAT_NEXT}`, { is_known: true });
      const weaker = replaces === undefined ? undefined : recorded.get(replaces);
      if (replaces !== undefined && weaker === undefined)
        return refused(`There is no quote ${replaces}. There are: ${[...recorded.keys()].join(", ")}.`);
      const all = [...[...recorded.values()].filter((one) => one !== same && one !== weaker), quoted];
      const full = limitReached(all, limits);
      if (full !== null) return refused(`${full}, and this one is not. ${AT_THE_LIMIT}`);
      return answered(
        {
          recorded: `${all.length} of at most ${limits.max_quotes_per_subject} quotes`,
          number: state.numberFor(quoted),
        },
        { quoted, stored, ...given({ replaces }) },
      );
    },
  });
}

const AT_THE_LIMIT =
  'Submit with those that are recorded, or record it with "replaces": the number of one that is worth less.';
const WHAT_NEXT = "Submit the result, or record something else.";

const shownSchema = z.looseObject({ document: z.string(), document_text: z.string() });
const resultSchema = z.looseObject({ found: z.array(z.unknown()).optional(), opened: z.unknown().optional() });

/** The name of the document in which a tool has shown this text. */
function shownIn(messages: readonly Message[], text: string): string | undefined {
  for (const message of messages) {
    const result = message.role === "tool" ? readAnswer(resultSchema, message.content) : null;
    if (result?.kind !== "fit") continue;
    for (const one of [...(result.value.found ?? []), result.value.opened]) {
      const shown = shownSchema.safeParse(one);
      if (shown.success && new SourceText(Buffer.from(shown.data.document_text)).spanOf(text) !== null)
        return documentOf(shown.data.document);
    }
  }
  return undefined;
}

const SHOWN_OF_MISSING = 80;

/** The refusal of a quote that was not found. Words of the source are in fields of data. */
function missing(source: SourceText, text: string, stored: Opened): ToolAnswer {
  const refusal = "This text is not in the document.";
  const difference = source.firstDifference(text);
  const shown = shortened(text, SHOWN_OF_MISSING);
  if (difference === null) return refused(JSON.stringify({ refused: refusal, text: shown }), { stored });
  const { same, source: document_text, quote } = difference;
  return refused(
    JSON.stringify({
      refused: `${refusal} It differs behind the words in "same": the document has "document_text" there, you have "text".`,
      same: { document_text: same },
      document_text,
      text: quote,
    }),
    { stored },
  );
}

/** The limit that these quotes exceed, or null. Gate B has the same limits. */
export function limitReached(quotes: readonly Quoted[], limits: Limits): string | null {
  const words = quotes.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const sources = new Set(quotes.map(({ source_digest }) => source_digest)).size;
  if (quotes.length > limits.max_quotes_per_subject) return `At most ${limits.max_quotes_per_subject} quotes are kept`;
  if (words > limits.max_words_per_subject) return `At most ${limits.max_words_per_subject} words are quoted`;
  if (sources > limits.max_sources_per_subject) return `At most ${limits.max_sources_per_subject} sources are used`;
  return null;
}

const MAX_NOTED_GAPS = 20;

export function gapTool({ messages, parts }: Reading): Tool {
  const known = new Set(parts.map(({ id }) => id));
  return objectTool({
    name: "note_gap",
    description:
      "Notes something that was looked for and not found: the report says so. The reason says where and how it was looked for.",
    schema: z.object({
      text: z.string().min(1).max(400).describe("what could not be found"),
      reason: z.string().min(1).max(400).describe("where it was looked for, and what is there instead"),
      part_ids: z.array(nameAmong(known)).max(20).optional().describe("the parts of the question that it belongs to"),
    }),
    isSafe: () => true,
    async run({ text, reason, part_ids = [] }) {
      if (new ResearchState(messages()).gaps().length >= MAX_NOTED_GAPS)
        return refused(`At most ${MAX_NOTED_GAPS} gaps are noted.`);
      return answered({ noted: true }, { gap: { text, reason, part_ids: part_ids.filter((id) => known.has(id)) } });
    },
  });
}
