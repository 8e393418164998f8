// A scripted model that works as a capable one was seen to: several searches in a reply, a sentence that goes too far in each
// section, a review that wants two sections and a sentence again. What it says follows from the request alone.
import { asksFor, type MessageAnswer, type ScriptedCall } from "../models/answers.ts";
import {
  citationsOf,
  headingOf,
  judgedOf,
  named,
  resultsOf,
  submits,
  type SeenTask,
  type ShownCitation,
  type ShownToVerifier,
} from "../live/well-behaved.ts";

export const QUESTION = "How does a run survive a crash of its machine, and what does its operator have to do?";

/** The verifier finds that a sentence with this word goes too far. */
const EXCESS = "certainly ";
const PARTS: [id: string, text: string, ...queries: string[]][] = [
  ["durable", "what is on disk before a step continues", "durable journal fsync", "record stored before", "power cut"],
  ["lease", "who may work on a run", "lease owner epoch", "take over killed process", "two processes one run"],
  ["repair", "how damage is repaired", "repair damaged journal", "verify stored bytes", "missing artifact"],
  ["limits", "how budgets and limits are kept", "budget reserved tokens", "limits reached halt", "quota retry"],
  ["evidence", "how evidence is checked", "quote verbatim source", "citation gate verdict", "source stored digest"],
];
const MATTERS = [
  "durability",
  "the lease",
  "repair",
  "the limits",
  "evidence",
  "the journal",
  "a halt",
  "a budget",
  "time",
];
const FURTHER = ["resume after interruption", "exit status halted"];

export type Mode = "quick" | "standard";

export function mindAnswer({ mode }: { mode: Mode }, task: SeenTask): MessageAnswer {
  const calls: Record<SeenTask["who"], () => ScriptedCall[]> = {
    plan: () => [submits(planOf(mode))],
    research: () => researched(task, mode),
    verify: () => [submits({ verdicts: verdictsOn(task) })],
    pivot: () => [submits({ gaps: [gapIn("lease", "takes over"), gapIn("limits", "waits")] })],
    outline: () => [submits(outlineOf(citationsOf(task)))],
    section: () => written(task, () => sectionOf(headingOf(task), citationsOf(task))),
    draft: () => (task.tools.includes("submit") ? written(task, () => pageOf(citationsOf(task))) : rewritten(task)),
    answer: () => written(task, () => answerOf(task)),
    review: () => [submits(reviewOf(task))],
  };
  return asksFor(named(task, calls[task.who]()));
}

// --- plan and research --------------------------------------------------------------------------------------------

function planOf(mode: Mode) {
  const parts = PARTS.slice(0, mode === "quick" ? 3 : 5);
  return {
    parts: parts.map(([id, text]) => ({ id, text })),
    perspectives: parts.map(([id, text, ...queries], index) => ({
      id: `look-${id}`,
      title: `On ${text}`,
      kind: index === 0 ? "overview" : index === 1 ? "contrarian" : "facet",
      questions: [`In detail: ${text}?`],
      queries: [...queries, ...FURTHER],
      part_ids: [id],
    })),
  };
}

function gapIn(part_id: string, word: string) {
  return {
    part_id,
    missing: `how long it ${word}`,
    queries: [`${word} seconds`, `${word} after a minute`, `how long ${word}`],
  };
}

interface Passage {
  document: string;
  document_text?: string;
}

/** Three searches, then two with quotes beside them, then more quotes and the end in one reply. */
function researched(task: SeenTask, mode: Mode): ScriptedCall[] {
  const turn = task.messages.filter(({ role }) => role === "assistant").length;
  const queries =
    task.user
      .split("Searches to begin with:\n")[1]
      ?.split("\n\n")[0]
      ?.split("\n")
      .map((line) => line.slice(2)) ?? [];
  const part = /look for:\n- ([a-z]+):/u.exec(task.user)?.[1] ?? "durable";
  const isGap = task.user.includes("An earlier search");
  const search = (from: number, to: number) =>
    queries.slice(from, to).map((query) => ({ name: "search", arguments: { query } }));
  if (turn === 0) return search(0, 3);
  const end = submits({ notes: ["what is written was read"] });
  if (isGap) return [...quotesFrom(task, part, 3), end];
  const isLong = mode === "quick" && part !== "durable";
  if (turn === 1) return [...search(3, 5), ...quotesFrom(task, part, 3)];
  if (isLong && turn === 2) return quotesFrom(task, part, 3);
  return [...quotesFrom(task, part, isLong ? 2 : 4), end];
}

/** The first whole sentences of passages that were shown, from few documents, without those that were tried already. */
function quotesFrom(task: SeenTask, part: string, count: number): ScriptedCall[] {
  const tried = task.messages.flatMap(({ tool_calls }) => tool_calls.map((call) => call.function.arguments)).join("\n");
  const documents = new Set([...tried.matchAll(/"document":"(d\d+)/gu)].map(([, name = ""]) => name));
  const sentences = new Map<string, string>();
  for (const { document, document_text = "" } of resultsOf<Passage[]>(task, "found").flat()) {
    const sentence = SENTENCE.exec(document_text)?.[1];
    const [name = ""] = document.split(".");
    const isNew = sentence !== undefined && !tried.includes(JSON.stringify(sentence).slice(1, -1));
    if (!isNew || sentences.has(sentence) || (documents.size === MAX_DOCUMENTS && !documents.has(name))) continue;
    documents.add(name);
    sentences.set(sentence, document);
    if (sentences.size === count) break;
  }
  return [...sentences].map(([text, document]) => ({
    name: "quote",
    arguments: { document, text, statement: `The manual says: ${text}`, part_ids: [part] },
  }));
}

/** One without numbers, which a page would have to name. */
const SENTENCE = /(?:^|[.] )([A-Z][^.|`*[\]<>#\n"“”:;0-9]{50,200}\.)(?= |\n|$)/mu;
/** As many as a quick run allows for a researcher. */
const MAX_DOCUMENTS = 6;

// --- verdicts and review ------------------------------------------------------------------------------------------

function verdictsOn(task: SeenTask) {
  const { statements, parts } = JSON.parse(task.user) as ShownToVerifier;
  return judgedOf(task.user).map((one, index) => {
    const excess = statements[index]?.statement.includes(EXCESS) === true;
    const why = excess ? "the quote does not say how certain it is" : "so it says";
    const own = parts === undefined ? {} : { part_ids: [parts[index % parts.length]?.id] };
    return {
      ...one,
      ...own,
      why,
      verdict: excess ? "partly" : "supported",
      ...(excess ? { excess: EXCESS.trim() } : {}),
    };
  });
}

function reviewOf({ user }: SeenTask) {
  const { page, your_earlier_remarks } = JSON.parse(user) as { page: string; your_earlier_remarks?: unknown };
  if (your_earlier_remarks !== undefined) return { decision: "accept", directives: [] };
  const [answer = "", ...sections] = [...page.matchAll(/^## (.+)$/gmu)].map(([, text = ""]) => text);
  const first = /^(s\d+) /mu.exec(page)?.[1] ?? answer;
  const more = sections
    .slice(0, 2)
    .map((target) => ({ kind: "other", target, detail: "Add the exception to the rule." }));
  const research = { part_id: "repair", queries: ["repair sets aside", "damaged file copy", "bundle restore"] };
  const wish = { kind: "research", target: sections[0], detail: "What repair cannot restore is missing.", ...research };
  return {
    decision: "revise",
    directives: [...more, wish, { kind: "other", target: first, detail: "Say the exception, too." }],
  };
}

// --- pages --------------------------------------------------------------------------------------------------------

function outlineOf(citations: readonly ShownCitation[]) {
  const ids = citations.map(({ citation_id }) => citation_id);
  const third = Math.ceil(ids.length / 3);
  const headings = ["What a crash leaves behind", "Who continues the work", "What an operator has to do"];
  return {
    title: "A crash and its operator",
    sections: headings.map((heading, index) => ({
      heading,
      answers: `${heading.toLowerCase()}, in detail`,
      citation_ids: ids.slice(index * third, (index + 1) * third),
    })),
  };
}

function said({ statement, document_text }: ShownCitation): string {
  return (statement ?? document_text)
    .replace(/^The manual says: /u, "")
    .replace(/\s+/gu, " ")
    .replace(/\.$/u, "");
}

function sectionOf(heading: string, citations: readonly ShownCitation[], isPage = false): string {
  const cited = citations.map(
    (one, index) => `It ${index === 1 ? EXCESS : ""}holds that ${said(one)} [${one.citation_id}].`,
  );
  const paragraphs = Array.from({ length: Math.ceil(cited.length / 5) }, (_, at) =>
    cited.slice(at * 5, at * 5 + 5).join(" "),
  );
  const rows = citations
    .slice(0, isPage ? 8 : 4)
    .map(
      (one) =>
        `| ${said(one).split(" ").slice(0, 3).join(" ")} [${one.citation_id}] | ${said(one)} [${one.citation_id}] |`,
    );
  const derived = citations
    .slice(0, isPage ? 9 : 5)
    .map(
      ({ citation_id: id }, at) =>
        `${heading}: an operator can rely on it, as ${MATTERS[at]} shows. [from ${id}, ${citations[at + 1]?.citation_id ?? id}]`,
    );
  return `## ${heading}\n\n${paragraphs.join("\n\n")}\n\n| Matter | Rule |\n|---|---|\n${rows.join("\n")}\n\n${derived.join(" ")}\n`;
}

function pageOf(citations: readonly ShownCitation[]): string {
  const ids = citations.map(({ citation_id }) => citation_id);
  const answer = `# A crash and its operator\n\n## A run survives, and needs little\n\nThe operator has to do little. [from ${ids.slice(0, 3).join(", ")}]\n\n`;
  return answer + sectionOf("What a crash leaves behind", citations, true);
}

function answerOf({ user }: SeenTask): string {
  const { page } = JSON.parse(user) as { page: string };
  const ids = [...page.matchAll(/^(s\d+) /gmu)].map(([, id = ""]) => id);
  const lines = [0, 1, 2, 3, 4].map(
    (at) =>
      `Of the matters, ${MATTERS[at]} ${at === 2 ? EXCESS : ""}decides for an operator. [from ${ids[at * 3]}, ${ids[at * 3 + 1]}]`,
  );
  return `## A run survives, and needs little\n\n${lines.join(" ")}\n`;
}

/** What the remarks of the last message name, without the word that goes too far; else the page. */
function written(task: SeenTask, first: () => string): ScriptedCall[] {
  const remarks = remarksIn(task);
  if (remarks === null) return [submits({ page: first() })];
  const page = task.messages.flatMap(({ tool_calls }) => tool_calls.map((call) => call.function.arguments)).join("\n");
  const changes = remarks.map(({ statement_id, text = "" }) => {
    const at = page.indexOf(text.slice(0, 40));
    const mark = /\[[^\]]+\]/u.exec(page.slice(at))?.[0] ?? "";
    return { statement_id, text: `${text.replace(EXCESS, "")} ${mark}` };
  });
  return [{ name: "revise", arguments: { changes } }];
}

interface Remark {
  statement_id: string;
  text?: string;
}

/** What the last message objects to; null when it is the task. */
function remarksIn({ messages }: SeenTask): Remark[] | null {
  const last = messages.at(-1)?.content ?? "";
  const shown = /This cannot stand as it is:\n(\[[\s\S]*?\n\])\n/u.exec(last)?.[1];
  return shown === undefined ? null : (JSON.parse(shown) as Remark[]);
}

/**
 * Adds a sentence to each section that is named, behind its last one where that can be said, else by writing the section again.
 * The answer's first sentence is said again with the sentences that it followed from.
 */
function rewritten(task: SeenTask): ScriptedCall[] {
  const {
    previous_page: page,
    remarks,
    citations,
  } = JSON.parse(task.user) as {
    previous_page: string;
    remarks: { about: string; write_again: string[] }[];
    citations: ShownCitation[];
  };
  const refused = remarksIn(task);
  const [one, other] = citations.map(({ citation_id }) => citation_id);
  if (refused !== null) {
    const changes = refused.map(({ statement_id, text = "" }) => ({
      statement_id,
      text: `${text} [from ${one}, ${other}]`,
    }));
    return [{ name: "revise", arguments: { changes } }];
  }
  const canInsert = task.schemas?.includes('"after"') === true;
  const newest = citations.at(-1);
  const addedTo = (heading: string): string =>
    newest === undefined ? "" : `For “${heading}” it holds, too, that ${said(newest)}. [${newest.citation_id}]`;
  const changes = remarks.flatMap(({ about, write_again: ids }): object[] => {
    if (/^s\d+$/u.test(about)) {
      const [, id, mark, text] = new RegExp(`^(${about}) (\\[[^\\]]+\\]) (.+)$`, "mu").exec(page) ?? [];
      return id === undefined
        ? []
        : [{ statement_id: id, text: `${text?.replace(/\.$/u, "")}, with an exception. ${mark}` }];
    }
    const section = page.split(/^(?=## )/mu).find((part) => part.startsWith(`## ${about}\n`)) ?? "";
    const last = [...section.matchAll(/\b(s\d+) \[/gu)].at(-1)?.[1] ?? "";
    return canInsert
      ? [{ after: last, text: addedTo(about) }]
      : [{ statement_id: ids[0], text: `${asMarkdown(section)}\n\n${addedTo(about)}` }];
  });
  const once = changes.filter(
    (change, at) => changes.findIndex((one) => JSON.stringify(one) === JSON.stringify(change)) === at,
  );
  return [{ name: "revise", arguments: { changes: once } }];
}

/** The section as its writer would write it again: without ids, each mark behind its sentence. */
function asMarkdown(section: string): string {
  const lines = section.trim().split("\n");
  const markdown = lines.map((line) =>
    line.startsWith("| ")
      ? line.replace(/s\d+ (\[[^\]]+\]) ([^|]+?) \|/gu, "$2 $1 |")
      : line.replace(/^s\d+ (\[[^\]]+\]) (.+)$/u, "$2 $1"),
  );
  const head = markdown.findIndex((line) => line.startsWith("| "));
  if (head >= 0) markdown.splice(head + 1, 0, "|---|---|");
  return markdown.join("\n").replace(/\n(?=\|)(?<!\|\n)/u, "\n\n");
}
