// Judges the claims of a draft while it is written: what their quotes do not say goes back to the writer, a few times.
import { RunError } from "../../kernel/errors.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Citation } from "../../run/research.ts";
import { isJudged, judgeSupport, type Judged } from "./support.ts";

/** How often the writer hears of claims that do not hold; what is left then is published as what it is. */
const MAX_OBJECTIONS = 2;

export interface CitedClaim {
  id: string;
  text: string;
  cited: readonly Citation[];
}

export class ClaimJudge {
  readonly #tools: TaskTools;
  readonly #verdicts = new Map<string, Judged>();
  #rounds = 0;
  #objections = 0;

  constructor(tools: TaskTools) {
    this.#tools = tools;
  }

  /**
   * What the writer is told of claims that do not hold, or null when they may stand as they are. Nothing is said while some
   * could not be judged: said again after a crash, it might be something else.
   */
  async objectionTo(claims: readonly CitedClaim[]): Promise<string | null> {
    await this.#judge(claims);
    if (claims.some((claim) => !isJudged(this.verdictOn(claim)))) return null;
    const refused = claims.filter((claim) => this.verdictOn(claim).verdict !== "supported");
    if (refused.length === 0 || this.#objections === MAX_OBJECTIONS) return null;
    this.#objections++;
    const why = refused.map((claim) => ({ claim: claim.text, ...this.verdictOn(claim) }));
    return `The verifier does not find these claims in their quotes: ${JSON.stringify(why)}. Restate each so that its quotes say it, or leave it out, and hand the whole draft in again.`;
  }

  /** The verdict on a claim that was judged before. A quotation needs no judge: that it stands in its source was checked. */
  verdictOn(claim: CitedClaim): Judged {
    return this.#verdicts.get(keyOf(claim)) ?? { verdict: "supported", method: "verbatim" };
  }

  /** Errors: `MODEL_FAILED`, to be tried again, when the verifier left more open than a report may have of doubt. */
  refuseUnjudged(claims: readonly CitedClaim[], maxUnsupportedShare: number): void {
    const doubtful = claims.map((claim) => this.verdictOn(claim)).filter(({ verdict }) => verdict !== "supported");
    const unjudged = doubtful.find((judged) => !isJudged(judged));
    if (unjudged === undefined || doubtful.length / claims.length <= maxUnsupportedShare) return;
    throw new RunError("MODEL_FAILED", {
      reason: `too many claims of the draft could not be judged: ${unjudged.reason}`,
      kind: "verifier_failed",
      retryable: true,
      goes_on: true,
    });
  }

  /** What was judged once in this step stays judged, so that a draft that is handed in again costs what is new in it. */
  async #judge(claims: readonly CitedClaim[]): Promise<void> {
    const open = claims.filter((claim) => !isQuotation(claim) && !this.#verdicts.has(keyOf(claim)));
    const statements = open.map(({ id, text, cited }) => ({ id, text, quotes: cited.map(({ quote }) => quote.text) }));
    const judged = await judgeSupport(`verify-draft-${++this.#rounds}`, statements, this.#tools);
    for (const claim of open) {
      const verdict = judged.get(claim.id);
      if (verdict !== undefined) this.#verdicts.set(keyOf(claim), verdict);
    }
  }
}

function isQuotation({ text, cited }: CitedClaim): boolean {
  return cited.some(({ quote }) => quote.text === text);
}

function keyOf({ text, cited }: CitedClaim): string {
  return JSON.stringify([text, ...cited.map(({ citation_id }) => citation_id).sort()]);
}
