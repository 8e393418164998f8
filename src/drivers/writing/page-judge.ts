// Has the verifier judge the statements and labels of a page while it is written, each once.
import { RunError } from "../../kernel/errors.ts";
import type { TaskTools } from "../../ports/driver.ts";
import { countsOf, uncitedNumbers } from "../../run/report/claim-numbers.ts";
import type { Draft, Statement } from "../../run/report/report.ts";
import { isClaim } from "../../run/report/statements.ts";
import { spanKey } from "../../run/report/source.ts";
import { isJudged, judgeSupport, NOT_JUDGED } from "../verdicts/support.ts";
import type { StatementToJudge, Judged } from "../verdicts/verdicts-brief.ts";
import type { Material } from "./material.ts";
import { gapText } from "./noted-gaps.ts";
import type { Fault } from "./page/faults.ts";
import { isQuotation, type WrittenLabel, type WrittenPage, type WrittenStatement } from "./page/written-page.ts";
import { labelToJudge, statementToJudge, type NamedOnPage } from "./to-judge.ts";

/** Of a statement of a section: the writer of the answer reads it anew, so that its verdict comes with the answer's. */
const WITH_ANSWER: Judged = { ...NOT_JUDGED, reason: "it is judged with the answer" };
/** Labels with at most this many words assert nothing. */
const BARE_LABEL_WORDS = 2;
const VERBATIM: Judged = { verdict: "supported", method: "verbatim" };

export interface JudgeOptions extends NamedOnPage {
  tools: TaskTools;
  question: string;
  /** Labels are judged with the whole page, of which this is a part. */
  isPart?: boolean | undefined;
}

export class PageJudge {
  readonly #options: JudgeOptions;
  /** The verdicts, by all that they depend on. */
  readonly #verdicts = new Map<string, Judged>();
  /** The ids of the statements below labels that were found to fit, by their words. */
  readonly #fitting = new Map<string, readonly string[]>();
  #rounds = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** Takes over a verdict that was given before, so that it costs no call. */
  rememberCited(text: string, citationId: string, judged: Judged): void {
    const quote = this.#options.contexts.get(citationId);
    if (quote !== undefined) this.#verdicts.set(keyOf({ asks: "cited", text, quotes: [quote] }), judged);
  }

  /** Takes over the verdicts of an earlier draft, whose labels fit. */
  rememberDraft(page: WrittenPage, { statements }: Pick<Draft, "statements">): void {
    for (const one of page.statements.values()) {
      const statement = statements[one.statement_id];
      const judged = statement === undefined ? undefined : verdictIn(statement);
      if (judged !== undefined && isJudged(judged))
        this.#verdicts.set(keyOf(statementToJudge(one, page, this.#options)), judged);
    }
  }

  rememberLabels(page: WrittenPage): void {
    for (const { text, below } of page.labels) this.#fitting.set(text, below);
  }

  /** For a page that is submitted whole: its statements have the ids of others. */
  forgetLabels(): void {
    this.#fitting.clear();
  }

  /** Judges what is not judged yet, so that a page that is submitted again costs only what is new in it. */
  async judge(page: WrittenPage): Promise<void> {
    const statements = [...page.statements.values()]
      .map((statement) => ({ statement, toJudge: statementToJudge(statement, page, this.#options) }))
      .filter(({ statement, toJudge }) => !isQuotation(statement, toJudge.quotes))
      .map(({ toJudge }) => toJudge);
    const isOpen = (label: WrittenLabel): boolean => assertsSomething(label) && !this.#fits(label, page);
    const labels = this.#options.isPart === true ? [] : page.labels.filter(isOpen);
    const ofCells = labels.filter(({ of }) => of === "row" || of === "column");
    const others = labels.filter((label) => !ofCells.includes(label));
    const labelsToJudge = (some: readonly WrittenLabel[]) =>
      some.map((label) => labelToJudge(label, page, this.#options));
    await this.#ask([...statements, ...labelsToJudge(others)]);
    await this.#ask(labelsToJudge(ofCells.filter((label) => !this.#holdsWithCell(label, page))));
    for (const label of labels)
      if (this.#verdictOnLabel(label, page).verdict === "supported") this.#fitting.set(label.text, label.below);
  }

  /** A label is judged once, and again when a statement below it is left out or contradicted. */
  #fits({ text, below }: WrittenLabel, page: WrittenPage): boolean {
    const ids = this.#fitting.get(text);
    return (
      ids?.every((id) => {
        const statement = page.statements.get(id);
        return below.includes(id) && statement !== undefined && !this.#isContradicted(statement, page);
      }) ?? false
    );
  }

  #isContradicted(statement: WrittenStatement, page: WrittenPage): boolean {
    return this.verdictOn(statement, page).verdict === "contradicted";
  }

  /** Leaves what is not judged yet to the judge of the answer. False where that cannot wait. */
  putOff(page: WrittenPage): boolean {
    const open = [...page.statements.values()].filter(
      (statement) =>
        !this.#verdicts.has(this.#keyOf(statement, page)) &&
        !isQuotation(statement, statementToJudge(statement, page, this.#options).quotes),
    );
    if (!open.every(({ kind }) => kind === "cited" || kind === "derived")) return false;
    for (const statement of open) this.#verdicts.set(this.#keyOf(statement, page), WITH_ANSWER);
    return true;
  }

  #keyOf(statement: WrittenStatement, page: WrittenPage): string {
    return keyOf(statementToJudge(statement, page, this.#options));
  }

  async #ask(all: readonly StatementToJudge[]): Promise<void> {
    const open = new Map(all.filter((one) => !this.#verdicts.has(keyOf(one))).map((one) => [one.id, one] as const));
    if (open.size === 0) return;
    const { question, tools } = this.#options;
    const inquiry = { name: `verify-draft-${++this.#rounds}`, question };
    for (const [id, judged] of await judgeSupport(inquiry, [...open.values()], tools)) {
      const one = open.get(id);
      if (one !== undefined) this.#verdicts.set(keyOf(one), judged);
    }
  }

  /** A cell is judged with the names of its row and column: where it is supported, they are. */
  #holdsWithCell({ below }: WrittenLabel, page: WrittenPage): boolean {
    return below.some((id) => {
      const cell = page.statements.get(id);
      const judged =
        cell === undefined ? undefined : this.#verdicts.get(keyOf(statementToJudge(cell, page, this.#options)));
      return judged?.verdict === "supported" && judged.isFraming !== true;
    });
  }

  /** The verdict on a statement of a judged page. A statement that needs no judge is supported. */
  verdictOn(statement: WrittenStatement, page: WrittenPage): Judged {
    return this.#verdicts.get(this.#keyOf(statement, page)) ?? VERBATIM;
  }

  #verdictOnLabel(label: WrittenLabel, page: WrittenPage): Judged {
    return this.#verdicts.get(keyOf(labelToJudge(label, page, this.#options))) ?? VERBATIM;
  }

  /** What does not hold, in words for the writer. */
  objections(page: WrittenPage): Fault[] {
    const counts = countsOf(page.blocks);
    const statements = [...page.statements.values()].flatMap((statement): Fault[] => {
      const judged = this.verdictOn(statement, page);
      const { statement_id: id, text } = statement;
      if (judged.isFraming === true && statement.kind !== "suggested") {
        const numbers = uncitedNumbers(text, [], { question: this.#options.question, counts });
        return numbers.length === 0 ? [] : [{ id, text: `holds ${numbers.join(", ")} and names no quote: cite it` }];
      }
      // No verdict gives a source to a sentence that names none.
      const holds = judged.verdict === "supported" && statement.kind !== "unmarked";
      return holds || !isJudged(judged) ? [] : [{ id, text: advice(statement, judged) }];
    });
    const labels = page.labels.flatMap((label): Fault[] => {
      const judged = this.#verdictOnLabel(label, page);
      if (judged.verdict === "supported" || !isJudged(judged)) return [];
      return [{ id: label.label_id, text: `is a label that says more than what is below it: ${judged.reason}` }];
    });
    return [...statements, ...labels];
  }

  hasJudgedAll(page: WrittenPage): boolean {
    const statements = [...page.statements.values()].map((statement) => this.verdictOn(statement, page));
    const labels = page.labels.map((label) => this.#verdictOnLabel(label, page));
    return [...statements, ...labels].every(isJudged);
  }

  /** Errors: `MODEL_FAILED`, to be tried again, when the verifier left more statements open than may be doubtful. */
  refuseUnjudged(page: WrittenPage, maxUnsupportedShare: number): void {
    const all = [...page.statements.values()].map((statement) => this.verdictOn(statement, page));
    const doubtful = all.filter(({ verdict }) => verdict !== "supported");
    const unjudged = doubtful.find((judged) => !isJudged(judged) && judged !== WITH_ANSWER);
    if (unjudged === undefined || doubtful.length / all.length <= maxUnsupportedShare) return;
    throw new RunError("MODEL_FAILED", {
      reason: `too many claims of the draft could not be judged: ${unjudged.reason}`,
      kind: "verifier_failed",
      retryable: true,
      goes_on: true,
    });
  }
}

/** A judge that knows the verdicts of the citations stage on statements with the same words and quote. */
export function judgeOf(
  question: string,
  { contexts, gaps, citations }: Material,
  tools: TaskTools,
  isPart?: boolean,
): PageJudge {
  const judge = new PageJudge({
    tools,
    question,
    isPart,
    contexts,
    gaps: new Map(gaps.map((gap) => [gap.gap_id, gapText(gap)])),
  });
  for (const [id, { statement, verdict, method }] of citations)
    if (statement !== undefined && verdict === "supported" && method !== "verbatim")
      judge.rememberCited(statement, id, { verdict, method });
  return judge;
}

function assertsSomething({ text }: WrittenLabel): boolean {
  return text.split(/\s+/u).length > BARE_LABEL_WORDS;
}

function verdictIn(statement: Statement): Judged {
  if (statement.basis === "framing") return { ...VERBATIM, isFraming: true };
  if (!isClaim(statement)) return VERBATIM;
  const { verdict, method, reason } = statement;
  return { verdict, method, reason };
}

/** All that a verdict depends on. */
function keyOf({
  asks,
  text,
  quotes,
  from = [],
  against = [],
  notFound = [],
  expression = "",
}: Omit<StatementToJudge, "id">): string {
  const spans = quotes.map(({ quote }) => spanKey(quote));
  const others = against.map(({ quote }) => spanKey(quote));
  return JSON.stringify([asks, text, spans.sort(), others.sort(), [...from].sort(), notFound, expression]);
}

function advice({ kind, place }: WrittenStatement, { verdict, reason = "" }: Judged): string {
  const why = reason === "" ? "" : ` (${reason})`;
  const where = place.kind === "code" ? ", with its mark in the line below it" : "";
  if (kind === "unmarked") return `asserts something and names no quote${why}: cite${where}, derive or drop it`;
  if (verdict === "contradicted") return `is contradicted by what it names: ${reason}`;
  return reason;
}
