// The questions that a run follows, above its report on the page, and the field below it that asks on.
import { unlessDamaged } from "../kernel/damage.ts";
import { shownLine } from "../kernel/shown-text.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import { mayReportManually } from "../run/log/lifecycle.ts";
import { earlierEvidenceSchema, type EarlierEvidence } from "../run/report/earlier-evidence.ts";
import { addressOf } from "./request.ts";

/** HTML; empty for a question that follows none. */
export async function threadHtml(ports: Pick<Ports, "store">, run: RunLook): Promise<string> {
  const questions = await threadOf(ports, run);
  if (questions.length === 0) return "";
  const items = questions.map(
    ({ run_id, question }) =>
      `<li dir="auto"><a href="#${addressOf(run_id)}">${Bun.escapeHTML(shownLine(question))}</a></li>`,
  );
  return `<nav aria-label="Questions before"><ol>\n${items.join("\n")}\n</ol></nav>\n`;
}

/** Empty for a run that no question can follow. */
export function askForm({ state, manifest }: RunLook, isReadOnly: boolean): string {
  if (isReadOnly || !mayReportManually(state, manifest.halt)) return "";
  return `\n<form><label>Ask on <input name="next" required placeholder="and on Windows?"></label> <button>Ask</button></form>`;
}

/** The oldest first. */
async function threadOf(
  { store }: Pick<Ports, "store">,
  { runRoot, manifest: { follows } }: RunLook,
): Promise<EarlierEvidence["thread"]> {
  if (follows === undefined) return [];
  const { run_id, question, evidence } = follows;
  const bytes = await unlessDamaged(store.readContent(runRoot, evidence));
  const read = bytes === null ? null : earlierEvidenceSchema.safeParse(parseStrictJson(bytes, bytes.byteLength));
  return read?.success === true ? read.data.thread : [{ run_id, question }];
}
