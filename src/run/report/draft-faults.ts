// Finds the faults of a report that show without stored data: names that point nowhere, and claims that rest on nothing.
import { memberOf } from "../../kernel/member.ts";
import type { Claim, Draft, Quoting, Statement } from "./report.ts";
import { claimsOf, gapsNamedBy, idsIn, isClaim, isQuoting, quotingOf, statementsOf } from "./statements.ts";
import type { Quote } from "./source.ts";
import { doubtedConclusions } from "./doubted-conclusions.ts";
import { arithmeticFaults, type DraftFault } from "./number-faults.ts";
import { suggestionFaults } from "./suggestion-faults.ts";

/** Gate E and `verify` refuse a report with any of these. */
export function reportFaults(draft: Draft): string[] {
  return [...draftFaults(draft).map(({ text }) => text), ...answerFaults(draft)];
}

/** The faults of its statements and labels. */
export function draftFaults(draft: Draft): DraftFault[] {
  const { blocks, statements, gaps } = draft;
  const faults: DraftFault[] = [];
  const add = (statement_id: string, text: string) => faults.push({ statement_id, text });
  const shown = new Set(blocks.flatMap(idsIn));
  for (const id of shown)
    if (memberOf(statements, id) === undefined) faults.push({ text: `a block shows ${id}, which is no statement` });
  for (const [id, { statement_id }] of Object.entries(statements)) {
    if (statement_id !== id) faults.push({ text: `statement ${statement_id} is kept as ${id}` });
    if (!shown.has(id)) add(id, `statement ${id} is in no block`);
  }
  const gapIds = new Set(gaps.map(({ gap_id }) => gap_id));
  for (const statement of statementsOf(draft)) {
    if (isClaim(statement)) faults.push(...claimFaults(statement, draft));
    if (isQuoting(statement) && !isQuoteOfSource(statement))
      add(statement.statement_id, `statement ${statement.statement_id} is no quote of its source`);
    for (const id of gapsNamedBy(statement))
      if (!gapIds.has(id))
        add(statement.statement_id, `statement ${statement.statement_id} names gap ${id}, which was not noted`);
  }
  for (const { conclusion, reason } of doubtedConclusions(statements))
    add(conclusion.statement_id, `claim ${conclusion.statement_id} is supported and ${reason}`);
  return [
    ...faults,
    ...groundFaults(draft),
    ...codeFaults(draft),
    ...excerptFaults(draft),
    ...arithmeticFaults(draft),
    ...suggestionFaults(draft),
  ];
}

/** A report claims something, or says that it only shows what came near. */
function answerFaults({ answered, ...draft }: Draft): string[] {
  const quoting = quotingOf(draft);
  const claims = quoting.filter(isClaim).length;
  if (answered !== "nearest") return claims > 0 ? [] : ["the report has no claim"];
  if (claims > 0) return ["the report has claims and says that nothing answers"];
  return quoting.length > 0 ? [] : ["the report shows nothing that came near"];
}

function claimFaults(claim: Claim, { statements }: Draft): DraftFault[] {
  const { statement_id, basis, quotes, verdict, reason } = claim;
  const faults: string[] = [];
  if (basis === "cited" && claim.against !== undefined && claim.against >= quotes.length)
    faults.push(`claim ${statement_id} says that sources disagree and has no quote against the others`);
  if (verdict !== "supported" && reason === undefined)
    faults.push(`claim ${statement_id} is ${verdict} and does not say why`);
  if (basis === "derived") {
    const strange = claim.from.filter((id) => memberOf(statements, id) === undefined);
    if (strange.length > 0)
      faults.push(`claim ${statement_id} is derived from ${strange.join(", ")}, which is not there`);
  } else if (quotes.length === 0) faults.push(`claim ${statement_id} has no quote`);
  return faults.map((text) => ({ statement_id, text }));
}

/** True also for a statement in other words, which need not be one. */
function isQuoteOfSource({ basis, text, quotes }: Quoting): boolean {
  if ((basis !== "quoted" && basis !== "nearest") || quotes.length === 0) return true;
  return quotes.some((quote) => flat(quote.text).includes(flat(text)));
}

/** Each conclusion has to rest on quotes or on a gap in the end, and never on itself. */
function groundFaults({ blocks, statements }: Draft): DraftFault[] {
  return claimsOf({ blocks, statements }).flatMap(({ statement_id, basis, quotes }) => {
    if (basis !== "derived") return [];
    const behind = idsBehind(statement_id, statements);
    if (behind.has(statement_id)) return [{ statement_id, text: `claim ${statement_id} is derived from itself` }];
    const rests = [...behind].some((id) => restsOnSomething(memberOf(statements, id)));
    const text = `claim ${statement_id} is derived from nothing that was found`;
    return quotes.length > 0 || rests ? [] : [{ statement_id, text }];
  });
}

/** The ids of all that a statement follows from, also through other conclusions. */
function idsBehind(statementId: string, statements: Draft["statements"]): Set<string> {
  const behind = new Set<string>();
  const open = [statementId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const statement = memberOf(statements, id);
    if (statement?.basis !== "derived") continue;
    for (const next of statement.from) {
      if (behind.has(next)) continue;
      behind.add(next);
      open.push(next);
    }
  }
  return behind;
}

function restsOnSomething(statement: Statement | undefined): boolean {
  if (statement === undefined) return false;
  return statement.basis === "gap" || (isClaim(statement) && statement.quotes.length > 0);
}

function codeFaults({ blocks, statements }: Draft): DraftFault[] {
  return blocks.flatMap((block) => {
    if (block.kind !== "code") return [];
    const text = memberOf(statements, block.statement)?.text;
    return text === undefined || flat(text) === flat(block.text)
      ? []
      : [{ statement_id: block.statement, text: `the code of ${block.statement} is not what was checked` }];
  });
}

type Span = Pick<Quote, "start" | "end">;

function excerptFaults({ blocks, statements }: Draft): DraftFault[] {
  return blocks.flatMap((block) => {
    if (block.kind !== "excerpt") return [];
    const statement = memberOf(statements, block.statement);
    if (statement === undefined) return [];
    const { statement_id } = statement;
    if (statement.basis !== "quoted" && statement.basis !== "nearest")
      return [{ statement_id, text: `the excerpt ${statement_id} is no quote` }];
    const [quote] = statement.quotes;
    if (quote === undefined) return [];
    const { marks, code = [] } = block;
    const fault = (what: string): DraftFault => ({
      statement_id,
      text: `the ${what} of excerpt ${statement_id} ${what === "code" ? "is" : "are"} not in order inside its quote`,
    });
    return [
      ...(areInside(marks, quote) ? [] : [fault("marks")]),
      ...(isCodeInside(code, quote) ? [] : [fault("code")]),
    ];
  });
}

/** The first span may begin before the quote, since a quote leaves out the indent of its first line. */
function isCodeInside([first, ...others]: readonly Span[], quote: Quote): boolean {
  if (first === undefined) return true;
  return (
    first.end > quote.start && areInside([{ ...first, start: Math.max(first.start, quote.start) }, ...others], quote)
  );
}

function areInside(spans: readonly Span[], { start, end }: Span): boolean {
  return spans.every((span, index) => {
    const from = spans[index - 1]?.end ?? start;
    return span.start >= from && span.end > span.start && span.end <= end;
  });
}

function flat(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** The contradicted claims that are outside of their own section. */
export function misplacedClaims(draft: Draft): Claim[] {
  let role: string | undefined;
  const misplaced = new Set<string>();
  for (const block of draft.blocks) {
    if (block.kind === "heading" && block.level === 2) role = block.role;
    if (role !== "contradicted") for (const id of idsIn(block)) misplaced.add(id);
  }
  return claimsOf(draft).filter(
    ({ verdict, statement_id }) => verdict === "contradicted" && misplaced.has(statement_id),
  );
}
