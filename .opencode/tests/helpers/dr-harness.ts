// What the tests of this folder share: a temporary folder, a small real run in it, and calls of its tools.
import { setDefaultTimeout } from "bun:test";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { initRun } from "../../../src/operations/make/init-run.ts";
import type { InitOptions } from "../../../src/operations/options.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { digestOfJson } from "../../../src/kernel/digest.ts";
import type { Manifest } from "../../../src/run/log/manifest.ts";
import { toolPorts } from "../../tools/deep_research_cli/ports.ts";
import type { Tool } from "../../tools/deep_research_cli/tool.ts";

// Whole runs on a busy machine take longer than the five seconds that a test has by default.
setDefaultTimeout(60_000);

/** Hands over the absolute path of an empty folder and deletes it afterwards, whatever happened. */
export async function withTempDir<T>(work: (base: string) => Promise<T>): Promise<T> {
  const base = await fs.mkdtemp(path.join(os.tmpdir(), "deep-research-seed-"));
  try {
    return await work(base);
  } finally {
    await fs.rm(base, { recursive: true, force: true });
  }
}

const DOCUMENTS: Record<string, string> = {
  "tides.md":
    "# Tides\n\nTides rise because the moon pulls the water of the oceans towards it. Spring tides come when sun and moon pull along one line.\n",
  "harbour.md":
    "# The harbour\n\nThe harbour master reads the tide tables every morning. High tides let large ships enter the harbour without touching the ground.\n",
  "energy.md":
    "# Energy\n\nA tidal power station turns the rise of the tides into electricity. However, critics say that tidal barrages harm the fish of the estuary.\n",
};

/** A plan that gate A takes. */
export const PLAN = {
  parts: [{ id: "why", text: "Why do tides rise?", terms: ["tides", "rise"] }],
  perspectives: [
    {
      id: "causes",
      title: "Causes",
      kind: "overview",
      questions: ["Why do tides rise?"],
      queries: ["tides rise moon"],
      part_ids: ["why"],
    },
    {
      id: "doubts",
      title: "Doubts",
      kind: "contrarian",
      questions: ["What do critics of tides say?"],
      queries: ["critics tidal harm"],
      part_ids: ["why"],
    },
  ],
};

export interface SampleRun {
  ports: Ports;
  runRoot: string;
  manifestPath: string;
}

/** An idle run of the local driver over three short documents. */
export async function makeRun(base: string, options: Partial<InitOptions> = {}): Promise<SampleRun> {
  const corpus = path.join(base, "corpus");
  await fs.mkdir(corpus, { recursive: true });
  for (const [name, text] of Object.entries(DOCUMENTS)) await fs.writeFile(path.join(corpus, name), text);
  const ports = toolPorts();
  const { result } = await initRun(
    ports,
    {
      runsRoot: path.join(base, "runs"),
      question: "Why do tides rise, and what do people use tides for?",
      runId: "dr_sample",
      driver: "local",
      mode: "quick",
      sensitivity: "normal",
      corpora: [corpus],
      providers: [],
      limits: {},
      policies: {},
      ...options,
    },
    {},
  );
  return { ports, runRoot: result.run_root, manifestPath: path.join(result.run_root, "manifest.json") };
}

/** The manifest as it lies on disk, its digest checked. */
export async function readManifest(manifestPath: string): Promise<Manifest> {
  const { digest, ...manifest } = JSON.parse(await fs.readFile(manifestPath, "utf8")) as Manifest & { digest: string };
  if (digestOfJson(manifest) !== digest) throw new Error("the manifest does not fit its digest");
  return manifest;
}

export interface ToolAnswer {
  ok: boolean;
  error?: { code: string; message: string; details: Record<string, unknown> };
  [field: string]: unknown;
}

export async function call(tool: Tool, args: Record<string, unknown>): Promise<ToolAnswer> {
  return JSON.parse(await tool.execute(args)) as ToolAnswer;
}

/** The data of the records of one kind, in the order of the journal. */
export async function recordsOf({ ports, runRoot }: SampleRun, kind: string): Promise<Record<string, unknown>[]> {
  const records = await ports.store.records(runRoot);
  return records.filter((record) => record.kind === kind).map(({ data }) => data as Record<string, unknown>);
}
