// The result of the bench as a table in Markdown.
import type { Asked } from "./ask.ts";

const HEAD = ["question", "score", "facts", "due", "wrong", "doubts", "words", "calls", "tokens", "cost", "seconds"];

export function tableOf(asked: readonly Asked[]): string {
  const rows = asked.map((one) => [
    one.outcome === "report" ? one.id : `${one.id} (${one.outcome})`,
    ...figuresOf(one),
  ]);
  const lines = [
    HEAD,
    HEAD.map((_, index) => (index === 0 ? "---" : "--:")),
    ...rows,
    [`all ${asked.length}`, ...totalOf(asked)],
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function figuresOf({ score, calls, tokens, costUsd, seconds }: Asked): string[] {
  return [
    percent(score.score),
    `${score.facts.found}/${score.facts.of}`,
    `${score.due.found}/${score.due.of}`,
    String(score.wrong),
    String(score.doubts),
    String(score.words),
    String(calls),
    String(tokens),
    costText(costUsd),
    seconds.toFixed(1),
  ];
}

/** The mean of the scores, the sums of all else. */
function totalOf(asked: readonly Asked[]): string[] {
  const sum = (figure: (one: Asked) => number): number => asked.reduce((total, one) => total + figure(one), 0);
  const counted = (of: "facts" | "due"): string =>
    `${sum(({ score }) => score[of].found)}/${sum(({ score }) => score[of].of)}`;
  const isPriced = asked.every(({ costUsd }) => costUsd !== null);
  return [
    percent(meanScore(asked)),
    counted("facts"),
    counted("due"),
    String(sum(({ score }) => score.wrong)),
    String(sum(({ score }) => score.doubts)),
    String(sum(({ score }) => score.words)),
    String(sum(({ calls }) => calls)),
    String(sum(({ tokens }) => tokens)),
    costText(isPriced ? sum(({ costUsd }) => costUsd ?? 0) : null),
    sum(({ seconds }) => seconds).toFixed(1),
  ];
}

export function meanScore(asked: readonly Asked[]): number {
  return asked.length === 0 ? 0 : asked.reduce((total, { score }) => total + score.score, 0) / asked.length;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function costText(costUsd: number | null): string {
  return costUsd === null ? "?" : `$${costUsd.toFixed(2)}`;
}
