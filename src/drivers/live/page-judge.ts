// Judges the statements of a page while it is written: what does not hold goes back to the writer, a few times.
import { RunError } from "../../kernel/errors.ts";
import type { TaskTools } from "../../ports/driver.ts";
import { countsOf, uncitedNumbers } from "../../run/claim-numbers.ts";
import type { Draft, Statement } from "../../run/report.ts";
import { gapText } from "../briefs/noted-gaps.ts";
import type { Material } from "../briefs/material.ts";
import type { Asked, Judged } from "../briefs/verdicts.ts";
import type { Fault } from "../page/faults.ts";
import type { QuoteInContext } from "../briefs/quote-context.ts";
import { cellText, isQuotation, neighboursOf, type WrittenPage, type WrittenStatement } from "../page/written-page.ts";
import { isJudged, judgeSupport } from "./support.ts";

/** Labels of so few words assert nothing. */
const BARE_LABEL_WORDS = 2;
const VERBATIM: Judged = { verdict: "supported", method: "verbatim" };

export interface JudgeOptions {
  tools: TaskTools;
  question: string;
  /** By citation id. */
  contexts: ReadonlyMap<string, QuoteInContext>;
  /** What was looked for in vain, by gap id. */
  gaps: ReadonlyMap<string, string>;
}

export class PageJudge {
  readonly #options: JudgeOptions;
  readonly #verdicts = new Map<string, Judged>();
  #rounds = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** A verdict that was given before, so that it costs no call. */
  rememberCited(text: string, citationId: string, judged: Judged): void {
    this.#verdicts.set(keyOf("cited", text, [citationId]), judged);
  }

  /** The verdicts of an earlier draft, and that its labels fit. */
  rememberDraft(page: WrittenPage, { statements }: Pick<Draft, "statements">): void {
    for (const { statement_id: id } of page.statements.values()) {
      const statement = statements[id];
      if (statement === undefined) continue;
      const judged = verdictIn(statement);
      if (isJudged(judged)) this.#verdicts.set(this.#keyOf({ id }, page), judged);
    }
    for (const { label_id: id } of page.labels) this.#verdicts.set(this.#keyOf({ id }, page), VERBATIM);
  }

  /** What was judged once in this step stays judged: a page that is handed in again costs what is new in it. */
  async judge(page: WrittenPage): Promise<void> {
    const asked = [...page.statements.values()].flatMap((statement) => this.#askedOf(statement, page));
    const labels = page.labels.flatMap(({ label_id, text, below }): Asked[] => {
      if (text.split(/\s+/u).length <= BARE_LABEL_WORDS) return [];
      const from = this.#textsOf(below, page);
      return [{ id: label_id, text, asks: "label", quotes: [], from, behind: this.#quotedIn(below, page) }];
    });
    const keys = new Map([...asked, ...labels].map((one) => [one.id, this.#keyOf(one, page)]));
    const open = [...asked, ...labels].filter(({ id }) => !this.#verdicts.has(keys.get(id) ?? ""));
    if (open.length === 0) return;
    const { question, tools } = this.#options;
    const inquiry = { name: `verify-draft-${++this.#rounds}`, question };
    for (const [id, judged] of await judgeSupport(inquiry, open, tools)) this.#verdicts.set(keys.get(id) ?? "", judged);
  }

  /** The verdict on a statement that was judged before. What needs no judge is supported as it stands. */
  verdictOn(statement: WrittenStatement, page: WrittenPage): Judged {
    return this.#verdicts.get(this.#keyOf({ id: statement.statement_id }, page)) ?? VERBATIM;
  }

  /** What the writer is told of statements and labels that do not hold. */
  objections(page: WrittenPage): Fault[] {
    const counts = countsOf(page.blocks);
    const statements = [...page.statements.values()].flatMap((statement): Fault[] => {
      const judged = this.verdictOn(statement, page);
      const { statement_id: id, text } = statement;
      if (judged.isFraming === true) {
        const numbers = uncitedNumbers(text, [], { question: this.#options.question, counts });
        return numbers.length === 0 ? [] : [{ id, text: `holds ${numbers.join(", ")} and names no quote: cite it` }];
      }
      if (judged.verdict === "supported" || !isJudged(judged)) return [];
      return [{ id: statement.statement_id, text: advice(statement, judged) }];
    });
    const labels = page.labels.flatMap(({ label_id }): Fault[] => {
      const judged = this.#verdicts.get(this.#keyOf({ id: label_id }, page));
      if (judged === undefined || judged.verdict === "supported" || !isJudged(judged)) return [];
      return [{ id: label_id, text: `is a label that says more than stands below it: ${judged.reason}` }];
    });
    return [...statements, ...labels];
  }

  /** Nothing is said to the writer while some could not be judged: said again after a crash, it might be something else. */
  hasJudgedAll(page: WrittenPage): boolean {
    const ids = [...page.statements.keys(), ...page.labels.map(({ label_id }) => label_id)];
    return ids.every((id) => isJudged(this.#verdicts.get(this.#keyOf({ id }, page)) ?? VERBATIM));
  }

  /** Errors: `MODEL_FAILED`, to be tried again, when the verifier left more open than a report may have of doubt. */
  refuseUnjudged(page: WrittenPage, maxUnsupportedShare: number): void {
    const all = [...page.statements.values()].map((statement) => this.verdictOn(statement, page));
    const doubtful = all.filter(({ verdict }) => verdict !== "supported");
    const unjudged = doubtful.find((judged) => !isJudged(judged));
    if (unjudged === undefined || doubtful.length / all.length <= maxUnsupportedShare) return;
    throw new RunError("MODEL_FAILED", {
      reason: `too many claims of the draft could not be judged: ${unjudged.reason}`,
      kind: "verifier_failed",
      retryable: true,
      goes_on: true,
    });
  }

  #askedOf(statement: WrittenStatement, page: WrittenPage): Asked[] {
    const { statement_id: id, kind, from, expression } = statement;
    if (kind === "excerpt") return [];
    const notFound = statement.gap_ids.flatMap((one) => this.#options.gaps.get(one) ?? []);
    if (kind === "gap") return [{ id, text: cellText(statement), asks: "gap", quotes: [], notFound }];
    const citationIds = kind === "unmarked" ? neighboursOf(id, page) : statement.citation_ids;
    const quotes = citationIds.flatMap((name) => {
      const context = this.#options.contexts.get(name);
      return context === undefined ? [] : [{ ...context, name }];
    });
    if (isQuotation(statement, quotes)) return [];
    return [
      {
        id,
        text: cellText(statement),
        asks: kind,
        quotes,
        from: this.#textsBehind(from, page),
        behind: this.#quotedIn(from, page),
        notFound,
        ...(expression === undefined ? {} : { expression }),
      },
    ];
  }

  /** What is concluded from a cell is concluded from its row and column, too. */
  #textsBehind(ids: readonly string[], page: WrittenPage): string[] {
    return this.#textsOf(ids, page, cellText);
  }

  /** An excerpt says what its quote says. The names of rows and columns are no evidence for labels: they are such. */
  #textsOf(ids: readonly string[], page: WrittenPage, wordsOf = textAlone): string[] {
    return ids.flatMap((id) => {
      const statement = page.statements.get(id);
      if (statement === undefined) return [];
      if (statement.kind !== "excerpt") return wordsOf(statement);
      return this.#options.contexts.get(statement.citation_ids[0] ?? "")?.quote.text ?? [];
    });
  }

  /** The quotes whose words these statements repeat. */
  #quotedIn(ids: readonly string[], page: WrittenPage): QuoteInContext[] {
    return ids.flatMap((id) => {
      const statement = page.statements.get(id);
      if (statement === undefined) return [];
      const quotes = statement.citation_ids.flatMap((one) => this.#options.contexts.get(one) ?? []);
      return statement.kind === "excerpt" || isQuotation(statement, quotes) ? quotes : [];
    });
  }

  #keyOf({ id }: { id: string }, page: WrittenPage): string {
    const statement = page.statements.get(id);
    if (statement === undefined) {
      const label = page.labels.find(({ label_id }) => label_id === id);
      return keyOf("label", label?.text ?? "", [], this.#textsOf(label?.below ?? [], page));
    }
    const { kind, gap_ids, expression } = statement;
    const ids = kind === "unmarked" ? neighboursOf(id, page) : statement.citation_ids;
    const text = cellText(statement);
    return keyOf(kind, text, [...ids, ...gap_ids], this.#textsBehind(statement.from, page), expression);
  }
}

/** A judge that knows what the check of the citations said, by the same words and quote. */
export function judgeOf(question: string, { contexts, gaps, citations }: Material, tools: TaskTools): PageJudge {
  const judge = new PageJudge({
    tools,
    question,
    contexts,
    gaps: new Map(gaps.map((gap) => [gap.gap_id, gapText(gap)])),
  });
  for (const [id, { statement, verdict, method }] of citations)
    if (statement !== undefined && verdict === "supported" && method !== "verbatim")
      judge.rememberCited(statement, id, { verdict, method });
  return judge;
}

function verdictIn(statement: Statement): Judged {
  if (statement.basis === "framing") return { ...VERBATIM, isFraming: true };
  if (statement.basis === "gap") return VERBATIM;
  const { verdict, method, reason } = statement;
  return { verdict, method, ...(reason === undefined ? {} : { reason }) };
}

function textAlone({ text }: WrittenStatement): string {
  return text;
}

/** All that a verdict depends on. */
function keyOf(
  kind: WrittenStatement["kind"] | "label",
  text: string,
  ids: readonly string[],
  from: readonly string[] = [],
  expression = "",
): string {
  return JSON.stringify([kind, text, [...ids].sort(), [...from].sort(), expression]);
}

function advice({ kind }: WrittenStatement, { verdict, reason = "" }: Judged): string {
  if (kind === "unmarked") return `asserts something and names no quote (${reason}): cite, derive or drop it`;
  if (verdict === "contradicted") return `is contradicted by what it names: ${reason}`;
  return reason;
}
