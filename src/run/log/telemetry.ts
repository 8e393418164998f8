// Makes spans and events of a run from its journal records. They hold no text of prompts or documents.
import { given } from "../../kernel/given.ts";
import { digestOfBytes, hexOf } from "../../kernel/digest.ts";
import { haltKind } from "./halt.ts";
import type { AnyRecord, RecordData } from "./record.ts";
import type { Usage } from "../model/model.ts";

export type Attributes = Record<string, string | number | boolean>;

interface Happening {
  name: string;
  /** RFC 3339. */
  ts: string;
  /** 32 hex digits, the same for the whole life of a run. */
  trace_id: string;
  attributes: Attributes;
}
/** Something that lasted. `ts` is its end. */
export interface SpanEvent extends Happening {
  kind: "span";
  /** 16 hex digits, made from the record that began it. */
  span_id: string;
  started_at: string;
  is_error: boolean;
}
export interface PointEvent extends Happening {
  kind: "event";
}
export type TelemetryEvent = SpanEvent | PointEvent;

interface Begun {
  ts: string;
  spanId: string;
}

/** One per run: pairs the records that begin something with those that end it. */
export class RunTelemetry {
  readonly #traceId: string;
  readonly #runId: string;
  readonly #begun = new Map<string, Begun>();
  /** The model of each call that was begun. */
  readonly #models = new Map<string, string>();

  constructor(runId: string) {
    this.#runId = runId;
    this.#traceId = hexOf(digestOfBytes(runId)).slice(0, 32);
  }

  eventsOf(record: AnyRecord): TelemetryEvent[] {
    switch (record.kind) {
      case "tick.started":
        return this.#begin("tick", record);
      case "tick.ended":
        return this.#end("tick", "deep_research.tick", record, {
          "deep_research.tick": record.data.tick,
          "deep_research.stopped_by": record.data.stopped_by,
        });
      case "step.started":
        return this.#begin(`step ${record.data.key}`, record);
      case "step.completed":
        return this.#end(`step ${record.data.key}`, "deep_research.step", record, this.#stepAttributes(record.data));
      case "step.failed": {
        const attributes = { ...this.#stepAttributes(record.data), "error.type": record.data.error.code };
        return this.#end(`step ${record.data.key}`, "deep_research.step", record, attributes, true);
      }
      case "usage.reserved":
        return this.#begin(`call ${record.data.reservation_id}`, record, record.data.model);
      case "usage.settled":
        return this.#endOfCall(record);
      case "tool.requested":
        return this.#begin(toolName(record.data), record);
      case "tool.completed":
        return this.#end(
          toolName(record.data),
          `execute_tool ${record.data.name}`,
          record,
          { ...this.#toolAttributes(record.data), "deep_research.tool.outcome": record.data.outcome },
          record.data.outcome === "failed" || record.data.outcome === "not_done",
        );
      case "message.stored":
        return this.#messageEvents(record);
      case "stage.entered":
        return [this.#point("stage_entered", record, { "deep_research.stage": record.data.to })];
      case "state.changed":
        return [this.#point("state_changed", record, { "deep_research.state": record.data.to })];
      case "halt.raised": {
        const { halt } = record.data;
        const attributes = { "deep_research.halt": haltKind(halt), "deep_research.stage": halt.stage };
        return [this.#point("halt_raised", record, attributes)];
      }
      default:
        return [];
    }
  }

  #begin(what: string, { ts, digest }: AnyRecord, model = ""): [] {
    this.#begun.set(what, { ts, spanId: hexOf(digest).slice(0, 16) });
    if (model !== "") this.#models.set(what, model);
    return [];
  }

  /** When the beginning was under another owner, it is not known here, and the span has no length. */
  #end(what: string, name: string, record: AnyRecord, attributes: Attributes, isError = false): TelemetryEvent[] {
    const begun = this.#begun.get(what) ?? { ts: record.ts, spanId: hexOf(record.digest).slice(0, 16) };
    this.#begun.delete(what);
    return [
      {
        kind: "span",
        name,
        ts: record.ts,
        started_at: begun.ts,
        trace_id: this.#traceId,
        span_id: begun.spanId,
        is_error: isError,
        attributes: { "deep_research.run_id": this.#runId, "deep_research.seq": record.seq, ...attributes },
      },
    ];
  }

  #endOfCall(record: AnyRecord & { kind: "usage.settled" }): TelemetryEvent[] {
    const { data } = record;
    const what = `call ${data.reservation_id}`;
    const [provider = "", ...name] = (this.#models.get(what) ?? "").split(":");
    this.#models.delete(what);
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name.join(":"),
      "deep_research.step": this.#stepOf(data),
      "deep_research.call.outcome": data.outcome,
      ...(data.cost_usd === null ? {} : { "deep_research.cost_usd": data.cost_usd }),
      ...usageAttributes(data.usage),
    };
    return this.#end(what, `chat ${name.join(":")}`.trim(), record, attributes, data.outcome !== "answered");
  }

  #point(name: string, { ts, seq }: AnyRecord, attributes: Attributes): PointEvent {
    return {
      kind: "event",
      name,
      ts,
      trace_id: this.#traceId,
      attributes: { "deep_research.run_id": this.#runId, "deep_research.seq": seq, ...attributes },
    };
  }

  #stepAttributes({ key, stage, attempt }: RecordData<"step.completed"> | RecordData<"step.failed">): Attributes {
    const step = this.#stepOf({ key, stage });
    return { "deep_research.step": step, "deep_research.stage": stage, "deep_research.attempt": attempt };
  }

  #toolAttributes({
    key,
    stage,
    name,
    tool_call_id,
  }: RecordData<"tool.requested"> | RecordData<"tool.completed">): Attributes {
    return {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": this.#veiled(tool_call_id),
      "deep_research.step": this.#stepOf({ key, stage }),
    };
  }

  #messageEvents(record: AnyRecord & { kind: "message.stored" }): PointEvent[] {
    const { key, stage, conversation, message_id, repaired, role } = record.data;
    const attributes = {
      "deep_research.step": this.#stepOf({ key, stage }),
      "gen_ai.conversation.id": this.#veiled(`${key}/${conversation}`),
      message_id,
    };
    const stored = this.#point(role === "tool" ? "tool_result_persisted" : "message_persisted", record, attributes);
    if (repaired === undefined) return [stored];
    return [stored, this.#point("conversation_repair_applied", record, { ...attributes, repair: repaired })];
  }

  #stepOf({ key, stage }: { key: string; stage: string }): string {
    return `${stage}:${this.#veiled(key)}`;
  }

  /** Keys and ids hold words that a model chose. A digest distinguishes them and says nothing else. */
  #veiled(words: string): string {
    return hexOf(digestOfBytes(`${this.#runId} ${words}`)).slice(0, 16);
  }
}

type ToolFacts = Pick<RecordData<"tool.requested">, "key" | "conversation" | "message_id" | "tool_call_id">;

function toolName({ key, conversation, message_id, tool_call_id }: ToolFacts): string {
  return `tool ${key} ${conversation} ${message_id} ${tool_call_id}`;
}

function usageAttributes(usage: Usage | null): Attributes {
  const { input_tokens = null, output_tokens = null, cached_input_tokens, cache_write_tokens } = usage ?? {};
  return {
    ...(input_tokens === null ? {} : { "gen_ai.usage.input_tokens": input_tokens }),
    ...(output_tokens === null ? {} : { "gen_ai.usage.output_tokens": output_tokens }),
    ...given({
      "gen_ai.usage.cache_read.input_tokens": cached_input_tokens,
      "gen_ai.usage.cache_creation.input_tokens": cache_write_tokens,
    }),
  };
}
