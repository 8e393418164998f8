// Why a run stands where it stands, in one line: from the general to the particular.
import type { LeaseSummary } from "../../operations/status.ts";
import type { Finding } from "../../operations/triage-run.ts";
import { factText, isNothing, isToldIn } from "./fact-text.ts";
import { ownerText } from "./owner-text.ts";
import { moment } from "../terminal/text.ts";
import { limitText } from "./usage-text.ts";

/** Lists of which each halt has one at the most. */
const LISTS = ["reasons", "gates", "differences", "steps", "looked_for"] as const;

/** The failure or the reason, then what a gate or a halt names beyond it. */
export function reasonText({ failure, details, reason, files, ...rest }: Finding["why"]): string {
  const facts = (details ?? {}) as Record<string, unknown>;
  const { budget, limit, name } = facts;
  const why = failure ?? facts["reason"] ?? reason ?? files;
  const list = LISTS.map((one) => facts[one]).find((one) => !isNothing(one));
  const parts = [
    isNothing(rest["retry_at"]) ? undefined : waitText(rest),
    why,
    limitText(budget, limit),
    name,
    isToldIn(why, list) ? undefined : list,
  ].filter((part) => !isNothing(part));
  if (parts.length > 0) return parts.map(factText).join(": ");
  if (typeof rest["path"] === "string")
    return `${rest["path"]} ${rest["found"] === "empty" ? "is empty" : "is not there"}`;
  if (rest["timed_out"] === true)
    return `no progress for ${String(rest["elapsed_s"])} s (limit ${String(rest["timeout_s"])} s)`;
  return leaseText(rest);
}

function waitText({ retry_at, time_has_come }: Finding["why"]): string {
  const time = moment(String(retry_at));
  return time_has_come === true ? `its time has come, at ${time}` : `until ${time}`;
}

/** Why the last owner lost its lease; or who holds it, and when its last heartbeat was. */
export function leaseText({ lease, policy }: Finding["why"]): string {
  if (typeof lease === "object" && lease !== null) return ownerText(lease as LeaseSummary) ?? "";
  const why = LEASE_ENDS[String(lease)];
  if (why === undefined) return "";
  return policy === "hold" ? `${why}; policy "hold": waits for resume` : why;
}

const LEASE_ENDS: Readonly<Record<string, string>> = {
  owner_dead: "its process died",
  expired: "its process stopped answering",
};
