// deep-research repair
import { repairRun, type RepairResult } from "../../operations/repair-run.ts";
import type { Ports } from "../../ports/ports.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { problemLines } from "../fact-text.ts";
import { flag, SELECTOR } from "../options.ts";
import type { Style } from "../style.ts";
import { count } from "../text.ts";

export const command = defineCommand({
  name: "repair",
  purpose: "rebuild what can be rebuilt from the journal, and set damage aside",
  operands: ONE_RUN,
  options: { ...SELECTOR, dryRun: flag("only say what is wrong") },
  examples: [
    ["repair dr_2026 --dry-run", "what is wrong"],
    ["repair dr_2026", "repair it; nothing is deleted, damage goes to quarantine/"],
  ],
  exits: [...CHANGE_EXITS.slice(0, -1), [12, "something is missing that no repair can bring back"]],
  async run(context, values, operands) {
    const runRoot = await context.locate(values, operands);
    const outcome = await repairRun(context.ports, runRoot, { dryRun: values.dryRun });
    return {
      outcome,
      text: async (style) =>
        repairText(outcome.result, values.dryRun ? await foreseen(context.ports, runRoot) : null, style),
    };
  },
});

/** What a repair would cost: the records behind the damage, and the report versions that only they know. */
async function foreseen({ store }: Ports, runRoot: string): Promise<string[]> {
  const { scan, manifest } = await store.inspect(runRoot);
  const kept = scan.head.seq;
  // A fold from before the damage still knows what there was; a run without one cannot be looked at.
  const known = await store.look(runRoot).then(
    (look) => look.manifest,
    () => null,
  );
  const dropped = (known?.journal.seq ?? 0) - kept;
  if (scan.damage === null && dropped <= 0) return [];
  const records =
    dropped > 0
      ? `it would drop the ${count(dropped, "journal record")} behind them`
      : "it would drop what stands behind them";
  const versions = (known?.report_versions ?? [])
    .map(({ version_index }) => version_index)
    .filter((index) => manifest?.report_versions.every(({ version_index }) => version_index !== index));
  const reports =
    versions.length === 0
      ? []
      : [`report version${versions.length === 1 ? "" : "s"} ${versions.join(", ")} would be dropped`];
  return [`a repair would keep the first ${count(kept, "record")}; ${records}`, ...reports];
}

function repairText(
  { problems, notes, quarantined, rebuilt, dropped_records, given_up, begun_anew, waiting }: RepairResult,
  dryRun: string[] | null,
  style: Style,
): string {
  if (problems.length + notes.length === 0) return `${style.good("nothing to repair")}\n`;
  return [
    ...problems.flatMap(problemLines),
    ...notes.map((note) => `note: ${note}`),
    ...(dryRun === null ? [] : [...dryRun.map((words) => style.warn(words)), "nothing was changed"]),
    ...rebuilt.map((path) => `rebuilt      ${path}`),
    ...quarantined.map((path) => `quarantined  ${path}`),
    ...given_up.map((path) => `given up     ${path}: a stored message; no result rests on it`),
    ...begun_anew.map((key) => `begun anew   ${key}: its conversations are lost`),
    ...waiting.map((key) =>
      style.warn(`waits        ${key}: resume begins it anew, with tools that it has called once`),
    ),
    ...(dropped_records === 0 ? [] : [style.warn(`dropped ${count(dropped_records, "damaged journal record")}`)]),
    "",
  ].join("\n");
}
