// The review of a draft: names what the next draft should leave out.
import type { Tasks } from "../../ports/driver.ts";
import { claimsOf, type Claim } from "../../run/report.ts";
import type { Directive, Review } from "../../run/research.ts";
import { isReadable } from "./readability.ts";
import { sentenceSpans } from "./sentence-breaks.ts";
import { Novelty } from "./similarity.ts";

export function review({ draft, draft_number }: Tasks["review"]["input"]): Review {
  const novelty = new Novelty();
  const directives = claimsOf(draft).flatMap((claim): Directive[] => {
    const directive = faultOf(claim, novelty);
    novelty.add(claim.text);
    return directive === null ? [] : [directive];
  });
  for (const section of draft.sections) {
    if (section.claims.length === 0)
      directives.push({ kind: "other", target: section.title, detail: "the section is empty" });
  }
  return { draft: draft_number, decision: directives.length === 0 ? "accept" : "revise", directives };
}

function faultOf({ claim_id, text, quotes }: Claim, novelty: Novelty): Directive | null {
  if (quotes.length === 0) return { kind: "remove_claim", target: claim_id, detail: "no quote supports the claim" };
  if (!quotes.some((quote) => quote.text === text)) {
    return { kind: "remove_claim", target: claim_id, detail: "the claim is not the quoted sentence itself" };
  }
  if (!readsAlone(text))
    return { kind: "remove_claim", target: claim_id, detail: "the claim does not read as a sentence" };
  if (!novelty.isNew(text)) return { kind: "drop_duplicate", target: claim_id, detail: "another claim says the same" };
  return null;
}

const MAX_SENTENCES = 2;

function readsAlone(text: string): boolean {
  const spans = sentenceSpans(text.replace(/\s/g, " "));
  return spans.length <= MAX_SENTENCES && spans.every(({ start, end }) => isReadable(text.slice(start, end)));
}
