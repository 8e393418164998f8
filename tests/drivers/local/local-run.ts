// Runs the local driver through every task of a run, over a real provider, and parses its results as stages do.
import { canonicalJson } from "../../../src/kernel/canonical-json.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { localDriver } from "../../../src/drivers/local.ts";
import type { TaskTools } from "../../../src/ports/driver.ts";
import type { Provider } from "../../../src/ports/provider.ts";
import { openFilesystemCorpora } from "../../../src/providers/filesystem.ts";
import type { Draft } from "../../../src/run/report/report.ts";
import { idsIn, isQuoting, sectionsOf } from "../../../src/run/report/statements.ts";
import { draftSchema } from "../../../src/run/report/stored-report.ts";
import {
  citationsSchema,
  findingsSchema,
  pivotSchema,
  planSchema,
  reviewSchema,
  summarySchema,
} from "../../../src/run/report/research.ts";
import type { Citations, Findings, Pivot, Plan, Review, Summary } from "../../../src/run/report/research.ts";
import { LIMITS_BY_MODE, type Limits } from "../../../src/run/settings/settings.ts";
import { sourceSchema, type Source } from "../../../src/run/report/source.ts";
import { NO_ABORT, TemporaryFolder } from "../../corpus/temporary-folder.ts";

export interface LocalRun {
  plan: Plan;
  findings: Findings[];
  pivot: Pivot;
  citations: Citations[];
  summaries: Summary[];
  draft: Draft;
  review: Review;
}

export class StoredSources {
  readonly sources = new Map<string, Source>();
  readonly texts = new Map<string, Uint8Array>();
}

export function toolsOver(provider: Provider, stored = new StoredSources()): TaskTools {
  return {
    signal: NO_ABORT,
    say: () => {},
    resultLength: 24_000,
    step: "a step",
    take: () => Promise.reject(new Error("nobody brings anything")),
    converse: () => Promise.reject(new Error("the local driver asks no model")),
    search: (query, limit, perDocument) => provider.search(query, limit, NO_ABORT, perDocument),
    countWords: async (question) => (await provider.countWords?.(question, NO_ABORT)) ?? null,
    async keep(passage) {
      const outcome = await provider.fetch(passage, NO_ABORT);
      if (outcome.kind !== "document") return outcome;
      const { bytes, text, title, origin, media_type } = outcome.document;
      const source = sourceSchema.parse({
        schema_version: "source.v1",
        source_digest: digestOfBytes(bytes),
        text_digest: digestOfBytes(text),
        media_type,
        title,
        origin,
        provider_id: "filesystem",
        retrieved_at: "2026-01-01T00:00:00.000Z",
        bytes: bytes.byteLength,
      });
      stored.sources.set(source.source_digest, source);
      stored.texts.set(source.source_digest, text);
      return { kind: "kept", source, text };
    },
    async sourceText(sourceDigest) {
      const text = stored.texts.get(sourceDigest);
      if (text === undefined) throw new Error(`not stored: ${sourceDigest}`);
      return text;
    },
  };
}

export async function openFolder(folder: string): Promise<Provider> {
  const { provider } = await openFilesystemCorpora({ cacheFolder: null })([{ name: "docs", path: folder }], {
    signal: NO_ABORT,
  });
  return provider;
}

export async function runLocally(
  provider: Provider,
  question: string,
  changed: Partial<Limits> = {},
  more: Partial<TaskTools> = {},
): Promise<LocalRun> {
  const limits = { ...LIMITS_BY_MODE.standard, ...changed };
  const stored = new StoredSources();
  const tools = { ...toolsOver(provider, stored), ...more };
  const driver = localDriver;
  const plan = planSchema.parse(await driver.perform("plan", { question, mode: "standard", limits }, tools));
  const findings: Findings[] = [];
  for (const perspective of plan.perspectives) {
    const input = { question, perspective, parts: plan.parts, limits };
    findings.push(findingsSchema.parse(await driver.perform("research", input, tools)));
  }
  const pivot = pivotSchema.parse(
    await driver.perform("pivot", { question, plan, findings, wave: 2, gaps: [], limits }, tools),
  );
  const known = findings.flatMap((found) => found.quotes);
  for (const gap of pivot.decision === "wave2" ? pivot.gaps : []) {
    const input = { question, gap, parts: plan.parts, known, limits };
    findings.push(findingsSchema.parse(await driver.perform("fill_gap", input, tools)));
  }
  const citations: Citations[] = [];
  const summaries: Summary[] = [];
  for (const found of findings) {
    const checked = citationsSchema.parse(
      await driver.perform(
        "check_citations",
        { question, parts: plan.parts, subject: found.subject, findings: found },
        tools,
      ),
    );
    citations.push(checked);
    summaries.push(
      summarySchema.parse(await driver.perform("summarize", { findings: found, citations: checked, limits }, tools)),
    );
  }
  const sources = [...stored.sources.values()];
  const draftInput = { question, plan, pivot, summaries, citations, sources, directives: [], previous: null, limits };
  const draft = draftSchema.parse(await driver.perform("draft", draftInput, tools));
  const reviewInput = { question, plan, draft, draft_number: 1, wishes: 0, citations, limits };
  const review = reviewSchema.parse(await driver.perform("review", reviewInput, tools));
  return { plan, findings, pivot, citations, summaries, draft, review };
}

/** Over documents of their own, by path. */
export async function reportOf(
  files: Record<string, string>,
  question: string,
  more: Partial<TaskTools> = {},
): Promise<LocalRun> {
  using folder = new TemporaryFolder(files);
  const provider = await openFolder(folder.path);
  const run = await runLocally(provider, question, {}, more);
  provider.close();
  return run;
}

/** The excerpts below the headings of a role, or below those without one. */
export function excerptsOf({ draft }: LocalRun, role?: "answer" | "nearest"): string[] {
  return sectionsOf(draft)
    .filter(({ heading }) => heading?.role === role)
    .flatMap(({ blocks }) => blocks.flatMap(idsIn))
    .flatMap((id) => draft.statements[id] ?? [])
    .flatMap(({ basis, text }) => (basis === "framing" || basis === "gap" ? [] : [text]));
}

/** The excerpts that answer. */
export function answerOf(run: LocalRun): string[] {
  return excerptsOf(run, "answer");
}

/** The words of the report that are marked, block by block. */
export function marksOf({ draft }: LocalRun): string[][] {
  return draft.blocks.flatMap((block) => {
    if (block.kind !== "excerpt") return [];
    const statement = draft.statements[block.statement];
    const quote = statement !== undefined && isQuoting(statement) ? statement.quotes[0] : undefined;
    const bytes = Buffer.from(quote?.text ?? "");
    const from = quote?.start ?? 0;
    return [block.marks.map(({ start, end }) => bytes.subarray(start - from, end - from).toString())];
  });
}

/** The whole outcome as bytes, to compare two runs. */
export function bytesOf(run: LocalRun): string {
  return canonicalJson(run);
}
