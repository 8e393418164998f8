// The route that verifies a run. The console keeps the last result for the session as long as it runs.
import { timestamp } from "../ports/clock.ts";
import type { Envelope } from "../surface/envelope.ts";
import { problemsIn } from "../surface/fact-words.ts";
import { count } from "../surface/words.ts";
import { VERIFY } from "./verb-uses.ts";
import { callVerb, type RouteRequest, type ConsoleParts, type Handler, readRun } from "./request.ts";
import { json, refused } from "./replies.ts";
import type { VerifyResult } from "../operations/care/verify-run.ts";

const MAX_KEPT = 200;
const MAX_NAMED = 3;

export function verifyRoutes(parts: ConsoleParts) {
  return { verify: async (call) => await verify(parts, call) } satisfies Record<string, Handler>;
}

/** Damage is a result here and no failure: the page shows it. */
async function verify(parts: ConsoleParts, call: RouteRequest): Promise<Response> {
  const { runRoot } = await readRun(parts, call);
  const envelope = await callVerb(parts, VERIFY, { ...call.body, run: runRoot }, { ...call, runRoot });
  const { error, result, contract } = envelope;
  const isDamaged = error?.code === "INTEGRITY_ERROR" || error?.code === "MISSING_ARTIFACT";
  if (error !== null && !isDamaged) return refused(envelope);
  const about = { verified_at: timestamp(parts.ports.clock.nowMs()), revision: contract.revision };
  const verification =
    error === null
      ? { ...about, ok: true, words: verifiedWords(result as VerifyResult), ...(result as VerifyResult) }
      : { ...about, ok: false, words: damageWords(error), error };
  keep(parts.verifications, runRoot, verification);
  return json(verification);
}

function verifiedWords({ quotes, sources }: VerifyResult): string {
  return `Verified: ${count(quotes, "quote")} in ${count(sources, "source")}`;
}

/** Names what was altered or is missing. */
function damageWords({ message, details }: NonNullable<Envelope["error"]>): string {
  const files = problemsIn(details);
  const named = files.slice(0, MAX_NAMED).map(({ path }) => path);
  if (named.length === 0) return `Does not verify: ${message}`;
  const further = files.length - named.length;
  return `Does not verify: ${named.join(", ")}${further === 0 ? "" : ` and ${further} more`}`;
}

function keep(kept: Map<string, object>, runRoot: string, verification: object): void {
  kept.delete(runRoot);
  kept.set(runRoot, verification);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
