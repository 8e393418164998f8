// Sends traces over OTLP/HTTP with JSON bodies, in batches. The format is from opentelemetry.io, "OTLP Specification 1.x".
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { describeCause, RunError } from "../../kernel/errors.ts";
import type { TelemetrySink } from "../../ports/telemetry.ts";
import { isOnThisMachine } from "../../run/model/model.ts";
import type { Attributes, SpanEvent, TelemetryEvent } from "../../run/log/telemetry.ts";

const DEFAULT_ENDPOINT = "http://localhost:4318";
const BATCH_SIZE = 64;
const MAX_WAITING = 2_000;
const TIMEOUT_MS = 5_000;

const SPAN_KIND_INTERNAL = 1;
const SPAN_KIND_CLIENT = 3;
const STATUS_OK = 1;
const STATUS_ERROR = 2;

interface OtlpOptions {
  environment: Readonly<Record<string, string | undefined>>;
  writeError: (text: string) => void;
  /** True when the user lists the host of the endpoint. */
  isListed: (endpoint: string) => boolean;
  /** For one batch, and at the end for all that still wait together. */
  timeoutMs?: number;
}

/**
 * Sends only spans: a point event becomes a span without length, so that collectors of traces get it. Errors: `INVALID_ARGS`
 * for a wrong URL.
 */
export function otlpSink({ environment, writeError, isListed, timeoutMs = TIMEOUT_MS }: OtlpOptions): TelemetrySink {
  const url = tracesUrl(environment);
  const headers = { "content-type": "application/json", ...headersIn(environment["OTEL_EXPORTER_OTLP_HEADERS"]) };
  const givenUp = new AbortController();
  let waiting: SpanEvent[] = [];
  /** How many spans wait, alone or in batches. */
  let unsent = 0;
  let sending: Promise<void> = Promise.resolve();
  let isNoted = false;

  const send = async (spans: SpanEvent[]): Promise<void> => {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), givenUp.signal]);
      signal.throwIfAborted();
      const body = JSON.stringify(exportRequest(spans));
      const response = await fetch(url, {
        method: "POST",
        headers,
        body,
        signal,
        redirect: "error",
        tls: { rejectUnauthorized: true },
        // Runs that may reach only listed hosts may be among these, and no proxy of the environment is listed.
        ...(isOnThisMachine(url) || isListed(url) ? { proxy: false } : {}),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
    } catch (error) {
      if (!isNoted) writeError(`telemetry cannot be sent to ${new URL(url).origin}: ${describeCause(error)}\n`);
      isNoted = true;
    } finally {
      unsent -= spans.length;
    }
  };
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) sending = sending.then(async () => await send(batch));
  };
  return {
    refusalOf(sensitivity) {
      if (sensitivity === "normal" || isListed(url)) return null;
      return `a run with sensitivity ${sensitivity} sends nothing to ${new URL(url).origin}: its host is not in allowed_hosts (console and file:PATH stay on this machine)`;
    },
    emit(event) {
      if (unsent >= MAX_WAITING) return;
      unsent++;
      waiting.push(asSpan(event));
      if (waiting.length >= BATCH_SIZE) flush();
    },
    async close() {
      flush();
      const timer = setTimeout(() => givenUp.abort(new Error("the collector takes too long")), timeoutMs);
      await sending;
      clearTimeout(timer);
    },
  };
}

function tracesUrl(environment: OtlpOptions["environment"]): string {
  const exact = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
  if (exact !== undefined && exact !== "") return checkedUrl(exact, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const base = environment["OTEL_EXPORTER_OTLP_ENDPOINT"] || DEFAULT_ENDPOINT;
  return checkedUrl(`${base.replace(/\/+$/, "")}/v1/traces`, "OTEL_EXPORTER_OTLP_ENDPOINT");
}

/** The error does not repeat the URL, since it may hold a password. */
function checkedUrl(text: string, variable: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === "http:" || protocol === "https:") return text;
  throw new RunError("INVALID_ARGS.variable", {
    reason: "the URL of the collector is no http or https URL",
    variable,
  });
}

/** Reads `key=value,key=value`, percent-encoded, as in the environment variables of OpenTelemetry. */
function headersIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const value = pair.slice(at + 1).trim();
      return [pair.slice(0, at).trim().toLowerCase(), unlessThrown(() => decodeURIComponent(value), value)];
    }),
  );
}

function asSpan(event: TelemetryEvent): SpanEvent {
  if (event.kind === "span") return event;
  const span_id = Bun.hash(`${event.trace_id} ${event.name} ${String(event.attributes["deep_research.seq"])}`)
    .toString(16)
    .padStart(16, "0");
  return { ...event, kind: "span", span_id, started_at: event.ts, is_error: false };
}

function exportRequest(spans: readonly SpanEvent[]): unknown {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues({ "service.name": "deep-research" }) },
        scopeSpans: [{ scope: { name: "deep-research" }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf({ name, trace_id, span_id, started_at, ts, is_error, attributes }: SpanEvent): unknown {
  return {
    traceId: trace_id,
    spanId: span_id,
    name,
    kind: attributes["gen_ai.operation.name"] === "chat" ? SPAN_KIND_CLIENT : SPAN_KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(started_at),
    endTimeUnixNano: nanoseconds(ts),
    attributes: keyValues(attributes),
    status: { code: is_error ? STATUS_ERROR : STATUS_OK },
  };
}

function nanoseconds(timestamp: string): string {
  return `${Date.parse(timestamp)}000000`;
}

function keyValues(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: string | number | boolean): unknown {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
