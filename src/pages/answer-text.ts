// The answer of a report alone, as its page says it: the first excerpt or paragraph that answers, for each part of the question.
import type { Block, Report } from "../run/report/report.ts";
import { idsIn, sectionsOf } from "../run/report/statements.ts";
import { memberOf } from "../kernel/member.ts";
import { blocksMarkdown } from "./markdown-page.ts";

/** Of a page that answers nothing: that it does not, and what came nearest. Markdown; empty where the page has no such section. */
export function answerMarkdown(report: Report): string {
  const shown = report.answered === "nearest" ? ["answer", "nearest"] : ["answer"];
  const sections = sectionsOf(report).filter(
    ({ heading }) => heading?.role !== undefined && shown.includes(heading.role),
  );
  const hasSeveral = sections.filter(({ heading }) => heading?.role === "answer").length > 1;
  const blocks = sections.flatMap(({ heading, blocks: own }) => [
    ...(hasSeveral && heading?.role === "answer" ? [heading] : []),
    ...untilItAnswers(own, report),
  ]);
  return blocksMarkdown(blocks, report);
}

/** The blocks up to the first that says more than a framing sentence. What such a sentence says of several excerpts includes them all. */
function untilItAnswers(blocks: readonly Block[], { statements }: Report): Block[] {
  const asserts = (block: Block): boolean =>
    idsIn(block).some((id) => (memberOf(statements, id)?.basis ?? "framing") !== "framing");
  const first = blocks.findIndex(asserts);
  const isAnnounced = first > 0 && blocks[first]?.kind === "excerpt";
  const behind = blocks.findIndex((block, at) => at > first && block.kind !== "excerpt");
  const end = isAnnounced ? (behind === -1 ? blocks.length : behind) : first + 1;
  return blocks.slice(0, end);
}
