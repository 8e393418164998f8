// A model that does every task well, as a script: what it says follows from the request alone, never from a count.
import type { Answer, ScriptedCall, SeenRequest } from "../models/answers.ts";
import { asksFor } from "../models/answers.ts";

export interface SeenMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  tool_calls: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** What a request asks for. */
export interface SeenTask {
  who: "plan" | "pivot" | "research" | "verify" | "draft" | "outline" | "section" | "answer" | "review";
  messages: SeenMessage[];
  /** The first user message. */
  user: string;
  /** Tools of the request, by name. */
  tools: string[];
  /** What their arguments may be, as JSON. */
  schemas?: string;
}

export function taskOf({ body }: Pick<SeenRequest, "body">): SeenTask {
  const {
    messages,
    tools: told = [],
    response_format,
  } = body as {
    messages: {
      role: SeenMessage["role"];
      content: unknown;
      tool_calls?: SeenMessage["tool_calls"];
      tool_call_id?: string;
    }[];
    tools?: { function: { name: string; description: string } }[];
    response_format?: { json_schema?: { name: string; description: string } };
  };
  // Where the reply is to be the arguments of the only tool, that tool is named here.
  const tools = response_format?.json_schema === undefined ? told : [{ function: response_format.json_schema }];
  const read = messages.map(({ role, content, tool_calls = [], tool_call_id }) => ({
    role,
    content: textOf(content),
    tool_calls,
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  }));
  const said = tools.map(({ function: { description } }) => description);
  const submit = tools.find(({ function: { name } }) => name === "submit")?.function.description ?? said.join(" ");
  const who = TASKS.find(([words]) => submit.includes(words))?.[1];
  if (who === undefined) throw new Error(`a task that no script knows: ${submit}`);
  const user = read.find(({ role }) => role === "user")?.content ?? "";
  const schemas = JSON.stringify(tools);
  return { who, messages: read, user, tools: tools.map(({ function: { name } }) => name), schemas };
}

const TASKS: [words: string, who: SeenTask["who"]][] = [
  ["Hands the plan in", "plan"],
  ["Says what is missing", "pivot"],
  ["Ends the research", "research"],
  ["Hands the verdicts in", "verify"],
  ["Hands the draft in", "draft"],
  // A draft that is written again is not handed in anew.
  ["Writes single sentences", "draft"],
  ["Hands the outline in", "outline"],
  ["Hands the section in", "section"],
  ["Hands the answer in", "answer"],
  ["Hands the review in", "review"],
];

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as { text?: string }[]).map(({ text = "" }) => text).join("");
}

/** What the model says to a request. */
export function wellBehaved(request: Pick<SeenRequest, "body">): Answer {
  const task = taskOf(request);
  if (task.who === "research") return asksFor(named(task, researchCalls(task)));
  return asksFor(named(task, [task.tools.includes("submit") ? submits(RESULTS[task.who](task)) : revises(task)]));
}

/** Says with other words what the remarks name. */
export function revises({ user }: SeenTask): ScriptedCall {
  const { previous_page, remarks } = JSON.parse(user) as {
    previous_page: string;
    remarks: { write_again: string[] }[];
  };
  const wanted = new Set(remarks.flatMap(({ write_again }) => write_again));
  const lines = [...previous_page.matchAll(/^(?:- |\d+\. |> )?(s\d+) (\[[^\]]+\] )?(.+)$/gm)];
  const changes = lines.flatMap(([, id = "", mark = "", text = ""]) =>
    wanted.has(id) ? [{ statement_id: id, text: `Said again: ${text} ${mark.trim()}` }] : [],
  );
  return { name: "revise", arguments: { changes } };
}

/** Calls with ids that are unique in their conversation, and the same whenever the same is asked. */
export function named({ messages }: SeenTask, calls: ScriptedCall[]): ScriptedCall[] {
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  return calls.map((call, index) => ({ id: `call_${turn}_${index + 1}`, ...call }));
}

export function submits(result: unknown): ScriptedCall {
  return { name: "submit", arguments: result };
}

// --- research -----------------------------------------------------------------------------------------------------

/** Values of the results of tools, by what they bring: found, opened, recorded. */
export function resultsOf<T>({ messages }: SeenTask, what: string): T[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== "tool" || !content.startsWith("{")) return [];
    const value = (JSON.parse(content) as Record<string, T>)[what];
    return value === undefined ? [] : [value];
  });
}

/** Searches, opens the two best documents in one turn, quotes the first sentence of each in one turn, and hands in. */
export function researchCalls(task: SeenTask): ScriptedCall[] {
  const { user } = task;
  const [query = ""] = listed(user, "Searches to begin with:");
  const parts = listed(user, "The parts of the question that you look for:").map((line) => line.split(":")[0] ?? "");
  const found = resultsOf<{ document: string }[]>(task, "found");
  const opened = resultsOf<{ document: string; document_text: string }>(task, "opened");
  const recorded = resultsOf<string>(task, "recorded");
  if (found.length === 0) return [{ name: "search", arguments: { query } }];
  if (opened.length === 0) {
    const names = found.flat().map(({ document }) => document.split(".")[0] ?? document);
    const documents = [...new Set(names)].slice(0, 2);
    if (documents.length === 0) return [submits({ notes: [`nothing was found on: ${query}`] })];
    return documents.map((document) => ({ name: "open", arguments: { document } }));
  }
  if (recorded.length > 0) return [submits({ notes: [] })];
  return opened.map(({ document, document_text }) => {
    const text = firstSentence(document_text);
    return { name: "quote", arguments: { document, text, statement: `It is written there: ${text}`, part_ids: parts } };
  });
}

function listed(user: string, heading: string): string[] {
  const [, rest = ""] = user.split(`${heading}\n`);
  return (rest.split("\n\n")[0] ?? "").split("\n").map((line) => line.replace(/^- /, ""));
}

export function firstSentence(text: string): string {
  return text.split("\n").find((line) => line.length > 20 && !line.startsWith("#")) ?? text;
}

// --- what is handed in --------------------------------------------------------------------------------------------

export const PLAN = {
  parts: [
    { id: "parsing", text: "how command line options are parsed" },
    { id: "errors", text: "how errors in options are reported" },
  ],
  perspectives: [
    {
      id: "overview",
      title: "How it works",
      kind: "overview",
      questions: ["How are options parsed and errors reported?"],
      queries: ["options parsed errors reported"],
      part_ids: ["parsing", "errors"],
    },
    {
      id: "doubts",
      title: "What speaks against it",
      kind: "contrarian",
      questions: ["When does parsing options fail?"],
      queries: ["short options cannot be parsed"],
      part_ids: ["parsing"],
    },
  ],
};

export interface ShownCitation {
  citation_id: string;
  /** Without it, the quote speaks for itself. */
  statement?: string;
  document_text: string;
}

/** What the task of a writer shows. */
export function citationsOf({ user }: SeenTask): ShownCitation[] {
  return (JSON.parse(user) as { citations: ShownCitation[] }).citations;
}

/** One item of a list for each citation, in words of the writer's own. */
export function pageOf(
  citations: readonly ShownCitation[],
  wordsOf: (citation: ShownCitation, index: number) => string = restated,
  heading = "Answer",
): string {
  const items = citations.map((one, index) => `- ${wordsOf(one, index).replace(/\s+/g, " ")} [${one.citation_id}]`);
  return `## ${heading}\n\n${items.join("\n")}\n`;
}

/** Two sections, as far as there is something for both. */
export function outlineOf(citations: readonly ShownCitation[]) {
  const ids = citations.map(({ citation_id }) => citation_id);
  const half = Math.ceil(ids.length / 2);
  const sections = [ids.slice(0, half), ids.slice(half)].filter((own) => own.length > 0);
  return {
    sections: sections.map((citation_ids, index) => ({
      heading: ["What is written", "What else"][index] ?? "",
      answers: "what the documents say",
      citation_ids,
    })),
  };
}

/** Of the section that is asked for. */
export function headingOf({ user }: SeenTask): string {
  return (JSON.parse(user) as { section: { heading: string } }).section.heading;
}

export function restated({ statement, document_text }: ShownCitation): string {
  return `As the documents say: ${statement ?? document_text}`;
}

export const RESULTS: Record<Exclude<SeenTask["who"], "research">, (task: SeenTask) => unknown> = {
  plan: () => PLAN,
  /** Asks for another search for each part that has too little, as far as there may be some. */
  pivot({ user }) {
    const { parts, most_gaps } = JSON.parse(user) as {
      parts: { id: string; part: string; sources: number }[];
      most_gaps: number;
    };
    const thin = parts.filter(({ sources }) => sources < 3).slice(0, most_gaps);
    return {
      gaps: thin.map(({ id, part }) => ({
        part_id: id,
        missing: `more on ${part}`,
        queries: [`another look at ${part}`],
      })),
    };
  },
  verify({ user }) {
    const judged = judgedOf(user);
    return { verdicts: judged.map(({ id, ...rest }) => ({ id, verdict: "supported", why: "so it says", ...rest })) };
  },
  draft: (task) => ({ page: pageOf(citationsOf(task)) }),
  outline: (task) => outlineOf(citationsOf(task)),
  section: (task) => ({ page: pageOf(citationsOf(task), restated, headingOf(task)) }),
  answer: () => ({ page: "## Answer\n\nAs the documents say, all of it holds together. [from s1]\n" }),
  review: () => ({ decision: "accept", directives: [] }),
};

export interface ShownStatement {
  id: string;
  statement: string;
  /** Ids of the quotes. */
  quotes?: string[];
}

/** What a verifier is shown; `parts` are there for what researchers recorded. */
export interface ShownToVerifier {
  parts?: { id: string }[];
  quotes: { id: string; document_text: string }[];
  statements: ShownStatement[];
}

/** Which parts quotes answer is asked of what was recorded: then each answers all of them, or those of `partsFor`. */
export function judgedOf(
  user: string,
  partsFor: (text: string, all: string[]) => string[] = (_text, all) => all,
): { id: string; part_ids?: string[] }[] {
  const { parts, quotes, statements } = JSON.parse(user) as ShownToVerifier;
  return statements.map(({ id, quotes: [first] = [] }) => {
    const text = quotes.find((quote) => quote.id === first)?.document_text ?? "";
    const all = parts?.map((part) => part.id);
    return { id, ...(all === undefined ? {} : { part_ids: partsFor(text, all) }) };
  });
}

/** Whether a verifier is asked, while research goes on, what recorded quotes are worth. */
export function isOfResearch({ who, user }: SeenTask): boolean {
  if (who !== "verify") return false;
  const { parts, statements } = JSON.parse(user) as ShownToVerifier;
  return parts !== undefined && statements.every(({ id }) => /^s\d+$/.test(id));
}

/** Whether a verifier is asked what the text of a part says that the planner adds. */
export function isOfPart({ who, user }: SeenTask, part: string): boolean {
  return who === "verify" && (JSON.parse(user) as ShownToVerifier).statements.some(({ id }) => id === part);
}

/** A verifier with one opinion, on those statements that it is asked of. */
export function judges(
  request: Pick<SeenRequest, "body">,
  verdict: "supported" | "contradicted" | "unclear" | "framing",
  ofWhat: (statement: { id: string; statement: string }) => boolean = () => true,
): Answer {
  const task = taskOf(request);
  const { statements } = JSON.parse(task.user) as ShownToVerifier;
  const verdicts = judgedOf(task.user).map((one, index) => ({
    ...one,
    verdict: ofWhat(statements[index] as ShownStatement) ? verdict : "supported",
    why: "so read",
  }));
  return asksFor(named(task, [submits({ verdicts })]));
}
