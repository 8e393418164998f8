// `ask`: a new run for a question that follows a finished one. It takes over what was found there, and researches what is missing.
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { resolvedProvider } from "../../orchestrator/drive.ts";
import { answerMarkdown } from "../../pages/answer-text.ts";
import { resultFile } from "../../run/log/layout.ts";
import { stateChange } from "../../run/log/lifecycle.ts";
import type { RecordData } from "../../run/log/record.ts";
import type { EarlierEvidence } from "../../run/report/earlier-evidence.ts";
import type { Report } from "../../run/report/report.ts";
import { quotingOf } from "../../run/report/statements.ts";
import type { Citation } from "../../run/report/research.ts";
import { spanKey } from "../../run/report/source.ts";
import { Evidence } from "../../stages/evidence.ts";
import { CarriedContent } from "../make/carried-content.ts";
import { optionsOf, type ForkOptions } from "../make/fork-run.ts";
import { describeRun, firstDrafts, refuseOtherRun } from "../make/init-run.ts";
import { openingOnce } from "../make/open-once.ts";
import type { RunOptions } from "../options.ts";
import type { Outcome, RunResult } from "../outcome.ts";
import { refuseUnlessAtRest } from "../report/at-rest.ts";
import { readReport, versionOf, withProblemsOf } from "../report/read-report.ts";
import { work } from "../work.ts";
import { drivenWork } from "./driven-work.ts";

export interface AskResult extends RunResult {
  /** The id of the run that the question follows. */
  follows: string;
  /** How many checked quotes of that run were there to be taken over. */
  offered_quotes: number;
}

/**
 * Settings that are given replace those of the run before; the mode is quick where none is given. Errors: `INVALID_STATE` for a run
 * at work, `NO_EVIDENCE` and `NOT_FOUND` for one without a report, those of damage, and as `start`.
 */
export async function askRun(
  givenPorts: Ports,
  runRoot: string,
  overrides: ForkOptions & RunOptions & { question: string },
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<AskResult>> {
  using ports = openingOnce(givenPorts);
  const before = await ports.store.look(runRoot);
  refuseUnlessAtRest(before.state, before.manifest.halt, runRoot, "questions may follow a run");
  const { settings } = before.manifest;
  if (settings.bundle !== undefined)
    throw new RunError("INVALID_STATE", {
      reason: "a replay has no model that could answer: give the question to the run that was recorded",
      run_root: runRoot,
    });
  const { untilStage, maxTicks, ...changed } = overrides;
  const options = optionsOf(before.manifest, { mode: "quick", ...changed });
  const evidence = await evidenceOf(ports, before, options.driver !== "local");
  const described = await describeRun(ports, options, observer);
  const carried = new CarriedContent(ports, runRoot);
  const quoted = new Set<string>(evidence.quotes.map(({ source_digest }) => source_digest));
  const { sources, lost } = await carried.sources(await ports.store.records(runRoot), (digest) => quoted.has(digest));
  const kept = { ...evidence, quotes: evidence.quotes.filter(({ source_digest }) => !lost.includes(source_digest)) };
  const bytes = new TextEncoder().encode(canonicalJson(kept));
  const digest = digestOfBytes(bytes);
  const { run_id, journal, query } = before.manifest;
  const created: RecordData<"run.created"> = {
    ...described.created,
    follows: {
      run_id,
      seq: journal.seq,
      digest: journal.digest,
      question: query.text,
      evidence: { path: resultFile(digest), sha256: digest, bytes: bytes.byteLength },
    },
  };
  const driven = { ...given({ untilStage, maxTicks }), lifts: "if_paused" as const, reason: "ask" };
  const intent = drivenWork(ports, driven, observer, signals);
  const begun = [resolvedProvider(created), stateChange("idle", "running", "ask")];
  const outcome = await work(ports, described.runRoot, {
    ...intent,
    makes: {
      drafts: [...firstDrafts(created, sources), ...begun],
      contents: [...carried.contents.values(), { path: resultFile(digest), read: async () => bytes }],
    },
    // The same question, given again under the same id, continues its run.
    async judge(run, records) {
      await refuseOtherRun(ports, described.runRoot, created, options.limits);
      return (await intent.judge?.(run, records)) ?? null;
    },
  });
  return { ...outcome, result: { ...outcome.result, follows: run_id, offered_quotes: kept.quotes.length } };
}

/** What the run before has found. Its current report has to verify. `asksModels`: its quotes are of use to a planner alone. */
async function evidenceOf(ports: Ports, run: RunLook, asksModels: boolean): Promise<EarlierEvidence> {
  const { runRoot, manifest } = run;
  await withProblemsOf(ports, run, versionOf(run), {});
  const report = await readReport(ports, run);
  const { store } = ports;
  const evidence = new Evidence({
    readSteps: (stage) => store.readSteps(run, stage),
    readResult: (ref) => store.readResult(runRoot, ref),
    readContent: (ref) => store.readContent(runRoot, ref),
    readRecords: () => store.records(runRoot),
    follows: () => manifest.follows,
    verification: () => Promise.reject(new Error("a finished report is verified above")),
  });
  const earlier = await evidence.earlier();
  const checked = asksModels ? await evidence.citations() : [];
  const researched = asksModels ? (await evidence.researched(Number.POSITIVE_INFINITY)).citations : [];
  const citations = [...checked, ...researched].flatMap((one) => one.citations);
  return {
    schema_version: "evidence.v1",
    thread: [...(earlier?.thread ?? []), { run_id: manifest.run_id, question: manifest.query.text }],
    answer: answerMarkdown(report),
    quotes: quotesOf(citations, report),
    sources: (await evidence.sources()).map(({ source_digest, title, origin }) => ({ source_digest, title, origin })),
    gaps: report.gaps.map(({ text, reason }) => ({ text, reason })),
    ...given({ assumptions: report.assumptions }),
  };
}

/** The quotes that hold, each once: those that the report shows come first. */
function quotesOf(citations: readonly Citation[], report: Report): EarlierEvidence["quotes"] {
  const shown = new Set(quotingOf(report).flatMap(({ quotes }) => quotes.map(spanKey)));
  const holding = citations.filter(({ found, verdict }) => found && verdict === "supported");
  const distinct = [...new Map(holding.map((one) => [spanKey(one.quote), one])).values()];
  const isShown = ({ quote }: Citation): boolean => shown.has(spanKey(quote));
  return [...distinct.filter(isShown), ...distinct.filter((one) => !isShown(one))].map(
    ({ quote, statement, verdict, method, reason }) => ({
      ...quote,
      ...given({ statement }),
      judged: { verdict, method, ...given({ reason }) },
    }),
  );
}
