// The session of a run for the page: its status, and all else that the page shows or locks.
import { decodeUtf8 } from "../kernel/decoded-text.ts";
import { unlessDamaged } from "../kernel/damage.ts";
import { readReportBytes } from "../operations/report/read-report.ts";
import { statusFrom } from "../operations/look/status.ts";
import { settledStanding } from "../operations/look/triage-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import { isTerminal } from "../run/log/lifecycle.ts";
import { asCommands } from "../surface/advice.ts";
import { haltOf } from "../surface/envelope.ts";
import { snapshotOf } from "../surface/snapshot.ts";
import { haltHeadline } from "../surface/halt-words.ts";
import { headlineOf, sentenceOf } from "../surface/state-words.ts";
import { shownOf } from "./shown.ts";
import { besides, startAgain, taskOf } from "./start-again.ts";
import { waysOn } from "./ways-on.ts";

export type Session = Awaited<ReturnType<typeof sessionOf>>;

/** Made from one read, so that nothing in it is older than its revision. */
export async function sessionOf(ports: Ports, run: RunLook, withText: boolean) {
  const { manifest, runRoot, state } = run;
  const standing = await settledStanding(ports, run);
  const status = statusFrom(run);
  const { max_depth, max_rounds, results_per_query } = manifest.limits;
  const { settings, query, mode } = manifest;
  const halt = haltDetail(ports, run, status.model_unreachable);
  return {
    ...snapshotOf(status, standing, asCommands(ports)),
    run_id: manifest.run_id,
    run_root: runRoot,
    revision: manifest.revision,
    headline: headlineOf({ ...status, ...standing }),
    sentence: sentenceOf(standing),
    shown: shownOf(run, status, halt),
    start_again: startAgain(manifest),
    task: taskOf(manifest),
    /** Options that the form has no field for. */
    besides: besides(manifest),
    ways_on: waysOn(standing, asCommands(ports), { runRoot, runId: manifest.run_id }),
    needs_attention: standing.needs_attention,
    is_terminal: isTerminal(state),
    research: { max_depth, max_rounds, results_per_query },
    limits: manifest.limits,
    interrupted_run_id: state === "interrupted" ? manifest.run_id : null,
    provenance: manifest.provenance,
    report_versions: withText ? await withTexts(ports, run) : manifest.report_versions,
    halt_detail: halt,
    state_history: manifest.state_history,
    failures: manifest.failures,
    forked_from: manifest.forked_from?.run_id ?? null,
    settings: {
      corpora: settings.corpora,
      providers: settings.providers,
      driver: settings.driver,
      mode,
      model: status.model,
      sensitivity: query.sensitivity,
      audience: settings.audience ?? null,
      length: settings.length ?? null,
      budgets: settings.budgets ?? null,
      policies: settings.policies,
    },
  };
}

function haltDetail(ports: Ports, run: RunLook, isModelUnreachable: boolean) {
  const halt = haltOf(run, asCommands(ports));
  const { halt: stored } = run.manifest;
  if (halt === null || stored === null) return null;
  return { ...halt, headline: haltHeadline(halt.kind, isModelUnreachable), since: stored.created_at };
}

/** Null for a version that was altered: `verify` names its files. */
async function withTexts(ports: Ports, { runRoot, manifest }: RunLook) {
  const versions = [];
  for (const version of manifest.report_versions) {
    const read = await unlessDamaged(readReportBytes(ports, runRoot, version));
    versions.push({ ...version, report_text: read === null ? null : decodeUtf8(read.markdown) });
  }
  return versions;
}
