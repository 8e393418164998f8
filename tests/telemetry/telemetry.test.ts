// Telemetry: what it tells of a journal, where it goes, and that it never holds a text or harms the work.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { digestOfJson } from "../../src/kernel/digest.ts";
import type { AnyRecord, RecordDraft } from "../../src/run/log/record.ts";
import { RunTelemetry, type SpanEvent, type TelemetryEvent } from "../../src/run/log/telemetry.ts";
import { under } from "../models/under.ts";
import { otlpSink } from "../../src/system/telemetry/otlp.ts";
import { openTelemetry } from "../../src/system/telemetry/sinks.ts";

const SECRET_TEXT = "the text of a confidential document";
const PLACE = {
  key: "wave1:overview",
  stage: "wave1",
  inputs_digest: digestOfJson("inputs"),
  conversation: "main",
} as const;
const CALL = { ...PLACE, message_id: 2, tool_call_id: "call-1", name: "search" } as const;
const ESTIMATE = { tokens: 900, cost_usd: 0.5 };

/** Places records one second apart. */
function placed(drafts: readonly RecordDraft[]): AnyRecord[] {
  return drafts.map((draft, index) => {
    const ts = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
    const place = { seq: index + 1, ts, epoch: 1, prev: null, digest: digestOfJson(index) };
    return { ...place, ...draft };
  });
}

const A_LIVE_STEP: RecordDraft[] = [
  { kind: "step.started", data: { key: PLACE.key, stage: "wave1", attempt: 1, inputs_digest: PLACE.inputs_digest } },
  {
    kind: "usage.reserved",
    data: {
      reservation_id: "r1",
      key: PLACE.key,
      stage: "wave1",
      role: "researcher",
      model: "openai:a:b",
      ...ESTIMATE,
    },
  },
  {
    kind: "usage.settled",
    data: {
      reservation_id: "r1",
      key: PLACE.key,
      stage: "wave1",
      outcome: "answered",
      reserved: ESTIMATE,
      usage: { input_tokens: 100, output_tokens: 20, cached_input_tokens: 60 },
      tokens: 120,
      cost_usd: 0.25,
    },
  },
  {
    kind: "tool.requested",
    data: { ...CALL, is_safe: true, attempt: 1, arguments_digest: digestOfJson("arguments") },
  },
  { kind: "tool.completed", data: { ...CALL, outcome: "done", value: SECRET_TEXT } },
  {
    kind: "message.stored",
    data: {
      ...PLACE,
      message_id: 3,
      role: "tool",
      message: { message_id: 3, role: "tool", tool_call_id: "call-1", name: "search", content: SECRET_TEXT },
      repaired: "backfilled",
    },
  },
];

function eventsOf(drafts: readonly RecordDraft[]): TelemetryEvent[] {
  const telemetry = new RunTelemetry("dr_1");
  return placed(drafts).flatMap((record) => telemetry.eventsOf(record));
}

describe("the events of a run", () => {
  test("a call of a model is a span with its tokens and its cost", () => {
    const [call] = eventsOf(A_LIVE_STEP);
    expect(call).toMatchObject({
      kind: "span",
      name: "chat a:b",
      started_at: "2026-01-01T00:00:01.000Z",
      ts: "2026-01-01T00:00:02.000Z",
      is_error: false,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "a:b",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "deep_research.cost_usd": 0.25,
        "deep_research.run_id": "dr_1",
      },
    });
  });

  test("a tool that ran, its stored result and a repair are told apart", () => {
    expect(eventsOf(A_LIVE_STEP).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "span chat a:b",
      "span execute_tool search",
      "event tool_result_persisted",
      "event conversation_repair_applied",
    ]);
  });

  test("no text of a document or a prompt is told", () => {
    const events = eventsOf(A_LIVE_STEP);
    expect(JSON.stringify(A_LIVE_STEP)).toContain(SECRET_TEXT);
    expect(JSON.stringify(events)).not.toContain(SECRET_TEXT);
  });

  test("nor a word that a model chose: keys and ids are told as digests, each its own", () => {
    const words = { key: "wave1:secret-of-acme", tool_call_id: "call-about-acme", conversation: "acme" };
    const chosen = A_LIVE_STEP.map((draft) => ({ ...draft, data: { ...draft.data, ...words } }) as RecordDraft);
    const [told, others] = [eventsOf(chosen), eventsOf(A_LIVE_STEP)];
    expect(JSON.stringify(chosen)).toContain("acme");
    expect(JSON.stringify(told)).not.toContain("acme");
    const stepsOf = (events: TelemetryEvent[]) =>
      new Set(events.map(({ attributes }) => attributes["deep_research.step"]));
    expect([...stepsOf(told)]).toEqual([expect.stringMatching(/^wave1:[0-9a-f]{16}$/)]);
    expect(stepsOf(told).isDisjointFrom(stepsOf(others))).toBe(true);
    expect(told.map(({ kind, name }) => `${kind} ${name}`)).toEqual(others.map(({ kind, name }) => `${kind} ${name}`));
  });

  test("a failed step is an error with its code", () => {
    const error = { code: "MODEL_FAILED", message: SECRET_TEXT, retryable: true };
    const [, failed] = [
      null,
      ...eventsOf([
        ...A_LIVE_STEP.slice(0, 1),
        { kind: "step.failed", data: { key: PLACE.key, stage: "wave1", attempt: 1, error } },
      ]),
    ];
    expect(failed).toMatchObject({
      name: "deep_research.step",
      is_error: true,
      attributes: { "error.type": "MODEL_FAILED" },
    });
    expect(JSON.stringify(failed)).not.toContain(SECRET_TEXT);
  });

  test("what another owner began ends without a length", () => {
    const [ended] = eventsOf(A_LIVE_STEP.slice(2, 3)) as SpanEvent[];
    expect(ended?.started_at).toBe(String(ended?.ts));
  });
});

describe("sinks", () => {
  test("none is the default", async () => {
    for (const wanted of [undefined, "", "off"]) expect(await opened(wanted, {}, [])).toBeNull();
  });

  test("console writes one JSON line an event, to where errors go", async () => {
    const lines: string[] = [];
    const sink = await opened("console", {}, lines);
    for (const event of eventsOf(A_LIVE_STEP)) sink?.emit(event);
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ schema_version: "dr.telemetry.v1", name: "chat a:b" });
  });

  test("file appends, and a file that cannot be written is said once", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-telemetry-"));
    try {
      const file = path.join(folder, "events.jsonl");
      fs.writeFileSync(file, "before\n");
      const sink = await opened(`file:${file}`, {}, []);
      for (const event of eventsOf(A_LIVE_STEP)) sink?.emit(event);
      await sink?.close();
      const [first, ...rest] = fs.readFileSync(file, "utf8").trimEnd().split("\n");
      expect(first).toBe("before");
      expect(rest).toHaveLength(4);
      const errors: string[] = [];
      const broken = await opened(`file:${folder}`, {}, errors);
      for (const event of eventsOf(A_LIVE_STEP)) broken?.emit(event);
      await broken?.close();
      expect(errors).toHaveLength(1);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test("otlp sends spans with their headers, and a collector that is not there is said once", async () => {
    const bodies: { path: string; key: string | null; body: unknown }[] = [];
    const collector = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        bodies.push({ path: pathname, key: request.headers.get("x-key"), body: await request.json() });
        return new Response("{}");
      },
    });
    const endpoint = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "X-Key=a%20b",
    };
    const errors: string[] = [];
    const sink = await opened("otlp", endpoint, errors);
    for (const event of eventsOf(A_LIVE_STEP)) sink?.emit(event);
    await sink?.close();
    await collector.stop(true);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({ path: "/v1/traces", key: "a b" });
    const sent = JSON.stringify(bodies[0]?.body);
    expect(sent).toContain('"startTimeUnixNano":"1767225601000000000"');
    expect(sent).toContain('{"key":"gen_ai.usage.input_tokens","value":{"intValue":"100"}}');
    expect(errors).toEqual([]);
    const gone = await opened("otlp", endpoint, errors);
    for (const event of eventsOf(A_LIVE_STEP)) gone?.emit(event);
    await gone?.close();
    expect(errors).toHaveLength(1);
    expect(errors[0]).not.toContain("a b");
  });

  test("otlp takes runs of other sensitivities only where its host is listed; lines stay on this machine", async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
    const isListed = (url: string): boolean => url === "http://127.0.0.1:4318/v1/traces";
    const collector = await opened("otlp", endpoint, []);
    expect(collector?.refusalOf("normal")).toBeNull();
    for (const sensitivity of ["restricted", "no_web"] as const) {
      expect(collector?.refusalOf(sensitivity)).toContain(
        `sensitivity ${sensitivity} sends nothing to http://127.0.0.1:4318`,
      );
      const listed = await openTelemetry({ wanted: "otlp", environment: endpoint, writeError: () => {}, isListed });
      expect(listed?.refusalOf(sensitivity)).toBeNull();
      expect((await opened("console", {}, []))?.refusalOf(sensitivity)).toBeNull();
    }
  });

  test("otlp goes to no proxy of the environment when the collector is on this machine", async () => {
    const seen: string[] = [];
    const answering = (name: string) =>
      Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch() {
          seen.push(name);
          return new Response("{}");
        },
      });
    const [proxy, collector] = [answering("proxy"), answering("collector")];
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = proxy.url.href;
    try {
      const sink = await opened("otlp", { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.href }, []);
      for (const event of eventsOf(A_LIVE_STEP)) sink?.emit(event);
      await sink?.close();
    } finally {
      if (before === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = before;
      await Promise.all([proxy.stop(true), collector.stop(true)]);
    }
    expect(seen).toEqual(["collector"]);
  });

  test("otlp to a collector elsewhere: one that is listed is reached without a proxy, what is sent to it is for nobody else", async () => {
    for (const isListed of [true, false]) {
      let seen = 0;
      const proxy = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch() {
          seen++;
          return new Response("{}");
        },
      });
      const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.invalid" };
      const sink = otlpSink({ environment, writeError: () => {}, isListed: () => isListed });
      await under("HTTP_PROXY", proxy.url.href, async () => {
        for (const event of eventsOf(A_LIVE_STEP)) sink.emit(event);
        await sink.close();
      });
      await proxy.stop(true);
      // Control: runs of sensitivity `normal` alone send to one that is not listed.
      expect(seen > 0).toBe(!isListed);
    }
  });

  test("a collector that takes everything and answers nothing is given up, not waited for batch by batch", async () => {
    let requests = 0;
    const silent = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch() {
        requests++;
        return new Promise<Response>(() => {});
      },
    });
    const errors: string[] = [];
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url.href };
    const sink = otlpSink({
      environment,
      writeError: (text) => errors.push(text),
      isListed: () => false,
      timeoutMs: 100,
    });
    for (let count = 0; count < 1_000; count++) for (const event of eventsOf(A_LIVE_STEP)) sink.emit(event);
    await sink.close();
    await silent.stop(true);
    expect(requests).toBeLessThan(5);
    expect(errors).toHaveLength(1);
  });

  test("a pipe that nobody reads is said once and stops nothing", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-telemetry-"));
    const pipe = path.join(folder, "pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    const errors: string[] = [];
    const sink = await opened(`file:${pipe}`, {}, errors);
    for (const event of eventsOf(A_LIVE_STEP)) sink?.emit(event);
    await sink?.close();
    fs.rmSync(folder, { recursive: true });
    expect(errors).toHaveLength(1);
  });

  test.each(["no place", "file:///tmp", "data:text/plain,x"])(
    "otlp to %s is refused, unsaid what it was",
    async (to) => {
      const refused = opened("otlp", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${to} secret` }, []);
      const error: unknown = await refused.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "INVALID_ARGS" });
      expect(JSON.stringify(error)).not.toContain("secret");
    },
  );

  test("anything else is refused", () => {
    expect(opened("kafka", {}, [])).rejects.toMatchObject({ code: "INVALID_ARGS" });
    expect(opened("file:", {}, [])).rejects.toMatchObject({ code: "INVALID_ARGS" });
  });
});

async function opened(wanted: string | undefined, environment: Record<string, string>, lines: string[]) {
  return await openTelemetry({ wanted, environment, writeError: (text) => lines.push(text), isListed: () => false });
}
