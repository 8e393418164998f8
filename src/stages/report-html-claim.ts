// One claim of the HTML report: the sentence, the way to its sources, and what it takes to check it by hand.
import { hexOf } from "../kernel/digest.ts";
import type { Claim, Report } from "../run/report.ts";
import type { Quote } from "../run/source.ts";
import { bdi, escaped, escapedLines, foreign, richText } from "./report-html-text.ts";
import { doubtOf, markersOf } from "./report-view.ts";

/** The number of each claim, as it is read. */
export type ClaimNumbers = ReadonlyMap<Claim, number>;

export function claimId(claim: Claim, numbers: ClaimNumbers): string {
  return `claim-${numbers.get(claim)}`;
}

export function claimItem(claim: Claim, report: Report, numbers: ClaimNumbers): string {
  const doubt = doubtOf(claim);
  const number = numbers.get(claim);
  return `<li id="${claimId(claim, numbers)}"><span class="number">${number}</span><div>
<p><span${foreign(claim.text)}>${richText(claim.text)}</span> <span class="refs">${refsOf(claim, report)}</span>${doubt === null ? "" : ` <span class="doubt">(${escaped(doubt)})</span>`}</p>
${checkOf(claim, number)}
</div></li>`;
}

/** `[3, p. 12]`, each a link to its source. */
export function refsOf(claim: Claim, report: Report): string {
  return markersOf(claim, report)
    .map(({ number, places }) => {
      const where = places.length === 0 ? "" : `, ${places.map(bdi).join("; ")}`;
      return `<a href="#source-${number}">[${number}${where}]</a>`;
    })
    .join(" ");
}

function checkOf({ verdict, method, quotes }: Claim, number: number | undefined): string {
  return `<details><summary>Check claim ${number}${method === "verbatim" ? "" : " (in other words)"}</summary>
<p>Verdict: ${verdict.replace("_", " ")}. Method: ${bdi(method)}.</p>
${quotes.map(quoteOf).join("\n")}
</details>`;
}

/** The quote with its own line breaks, where it stands, and the command that prints those bytes in the run's folder. */
function quoteOf({ text, source_digest, start, end }: Quote): string {
  const command = `tail -c +${start + 1} sources/${hexOf(source_digest)}.txt | head -c ${end - start}`;
  const facts = [
    ["Source", `<code>${source_digest}</code>`],
    ["Bytes", `${start} to ${end} of its text`],
    ["By hand", `<code>${command}</code>`],
  ];
  return `<blockquote${foreign(text)}>${escapedLines(text)}</blockquote>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;
}
