// One statement in Markdown: its words, the numbers of its sources, and how it is doubtful.
import { isClaim, type Claim, type Report, type Statement } from "../run/report.ts";
import { plainText } from "./plain-markdown.ts";
import { doubtOf, marksOf, markText, numbersBehind } from "./report-view.ts";
import { FOLLOWS } from "./report-words.ts";

/** `plain` makes text of others harmless where the statement stands. */
export function statementText(statement: Statement, report: Report, plain = plainText): string {
  const { text, basis } = statement;
  return `${plain(basis === "quoted" ? `“${text}”` : text)}${claimTail(statement, report, plain)}`;
}

/** What stands behind the words, without a blank before it where a line could break. */
export function claimTail(statement: Statement, report: Report, plain = plainText): string {
  if (!isClaim(statement)) return "";
  return `${marksText(statement, report, plain)}${doubtText(statement, plain)}`;
}

export function doubtText(claim: Claim, plain = plainText): string {
  const doubt = doubtOf(claim);
  return doubt === null ? "" : ` **(${plain(doubt)})**`;
}

function marksText(claim: Claim, report: Report, plain: typeof plainText): string {
  if (claim.basis !== "derived")
    return marksOf(claim, report)
      .map((mark) => `[${plain(markText(mark))}]`)
      .join("");
  const numbers = numbersBehind(claim, report).join(", ");
  const computed = claim.expression === undefined ? "" : `, computed as ${plain(claim.expression)}`;
  return `[${FOLLOWS}${numbers === "" ? "" : ` ${numbers}`}${computed}]`;
}
