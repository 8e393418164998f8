// Puts a reply together from the parts of a stream, and refuses at the end what is no whole reply.
import type { Json } from "../kernel/canonical-json.ts";
import { assistantSchema, type Assistant, type ProviderMetadata, type Reasoning } from "../run/model/conversation.ts";
import { UNKNOWN_USAGE, type ToolDescription, type Usage } from "../run/model/model.ts";
import {
  ModelFailure,
  type FinishReason,
  type ModelChunk,
  type ModelFailureKind,
  type ModelReply,
} from "../ports/model.ts";
import { beginsAsObject, callsInText, toolNamed } from "./calls-in-text.ts";
import type { StreamPart } from "./sdk.ts";
import type { Secrets } from "./secrets.ts";
import { TextRun } from "./text-run.ts";
import { usageOf } from "./usage.ts";

/** No model needs more calls at once, and each may be a search that costs money. */
const MAX_TOOL_CALLS = 100;

interface OpenReasoning {
  run: TextRun;
  at: number;
  metadata: ProviderMetadata;
}

interface OpenCall {
  id: string;
  name: string;
  run: TextRun;
  isWhole: boolean;
  metadata: ProviderMetadata;
}

interface ReplySettings {
  /** The requested model. The provider may name it more exactly. */
  modelId: string;
  /** Ids of earlier calls of the conversation, since some servers use an id again. */
  takenCallIds: ReadonlySet<string>;
  /** Those of the request. */
  tools: readonly ToolDescription[];
  /** The tool whose arguments the text of the reply has to be. */
  jsonTool: string | null;
  secrets: Secrets;
  onChunk: (chunk: ModelChunk) => void;
}

export class ReplyBuilder {
  private readonly content: TextRun;
  private readonly reasoning: OpenReasoning[] = [];
  /** By id. An id may come again for a later block. */
  private readonly openReasoning = new Map<string, OpenReasoning>();
  private readonly calls = new Map<string, OpenCall>();
  private readonly callIds: Set<string>;
  private finish: Extract<StreamPart, { type: "finish" }> | null = null;
  /** The white space at the start of the text. It is held until it is known whether the text is a call. */
  private held = "";
  /** The id of the call that the text is; null when it is none, undefined until that is known. */
  private textCallId: string | null | undefined;
  private modelId: string;
  private readonly settings: ReplySettings;

  constructor(settings: ReplySettings) {
    this.settings = settings;
    this.content = new TextRun(settings.secrets);
    this.modelId = settings.modelId;
    this.callIds = new Set(settings.takenCallIds);
  }

  take(part: StreamPart): void {
    switch (part.type) {
      case "text-delta":
        return this.showText(this.content.push(part.delta));
      case "text-end":
        return this.showText(this.content.end());
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.takeReasoning(part);
      case "tool-input-start":
        this.callOf(part.id, part.toolName);
        return;
      case "tool-input-delta":
        return this.showCall(part.id, (run) => run.push(part.delta));
      case "tool-call":
        return this.takeCall(part);
      case "response-metadata":
        this.modelId = part.modelId ?? this.modelId;
        return;
      case "finish":
        this.finish = part;
        return;
      default:
        return;
    }
  }

  /** The whole reply. Errors: a `ModelFailure` that says why this is no reply. */
  reply(): ModelReply {
    const message = this.message();
    const { unified, raw } = this.finish?.finishReason ?? { unified: "interrupted", raw: undefined };
    const hasCalls = message.tool_calls.length > 0;
    if (unified === "interrupted") throw this.failure("truncated", "the stream ended before the reply did");
    if (unified === "content-filter")
      throw this.failure("refused", "the model or its content filter refused to answer");
    if (unified === "error") {
      const kind = raw === "MALFORMED_FUNCTION_CALL" ? "malformed" : "transient";
      throw this.failure(kind, `the provider ended the reply with an error${raw === undefined ? "" : ` (${raw})`}`);
    }
    if (raw === "model_context_window_exceeded") {
      throw this.failure("context_too_long", "the conversation and its reply are longer than the model takes");
    }
    const isWhole = [...this.calls.values()].every((call) => call.isWhole);
    const saysNothing = message.content.trim() === "" && !hasCalls;
    if (!isWhole || ((unified === "length" || unified === "other") && (hasCalls || saysNothing))) {
      const kind = unified === "length" ? "reply_too_long" : "truncated";
      throw this.failure(kind, `the reply was cut off (${raw ?? unified})`);
    }
    if (saysNothing) throw this.failure("empty", "the reply holds no text and no tool call");
    const read = hasCalls || unified === "length" ? message : this.withCallsOfText(message);
    this.refuseMalformed(read);
    const finish_reason = finishReasonOf(unified, read.tool_calls.length > 0);
    return { message: read, usage: this.usage(), finish_reason, model_id: this.modelId };
  }

  /** What the call used, as the provider says, also when there is no reply. */
  usage(): Usage {
    return this.finish === null ? UNKNOWN_USAGE : usageOf(this.finish.usage);
  }

  private takeReasoning(part: Extract<StreamPart, { type: `reasoning-${"start" | "delta" | "end"}` }>): void {
    const known = part.type === "reasoning-start" ? undefined : this.openReasoning.get(part.id);
    const open = known ?? { run: new TextRun(this.settings.secrets), at: this.content.text.length, metadata: {} };
    if (known === undefined) {
      this.reasoning.push(open);
      this.openReasoning.set(part.id, open);
    }
    addMetadata(open.metadata, part.providerMetadata);
    this.showReasoning(part.type === "reasoning-delta" ? open.run.push(part.delta) : open.run.end());
  }

  private takeCall(part: Extract<StreamPart, { type: "tool-call" }>): void {
    const call = this.callOf(part.toolCallId, part.toolName);
    // Some providers do not stream arguments, or not empty ones, and give them only here.
    const isMissing = call.run.text === "";
    this.showCall(part.toolCallId, (run) => (isMissing ? run.push(part.input) : "") + run.end());
    addMetadata(call.metadata, part.providerMetadata);
    call.isWhole = true;
  }

  private callOf(id: string, name: string): OpenCall {
    const known = this.calls.get(id);
    if (known !== undefined) return known;
    const run = new TextRun(this.settings.secrets);
    const tool = toolNamed(name.toWellFormed(), this.settings.tools);
    const call = { id: this.uniqueId(id.toWellFormed()), name: tool, run, isWhole: false, metadata: {} };
    this.calls.set(id, call);
    return call;
  }

  /** Text that is the arguments of the one tool becomes its call, and is shown as such. */
  private showText(piece: string): void {
    const { jsonTool, onChunk } = this.settings;
    const text = this.held + piece;
    const isUnknown = this.textCallId === undefined && jsonTool !== null && text.trim() === "";
    this.held = isUnknown ? text : "";
    if (isUnknown || text === "") return;
    if (this.textCallId === undefined)
      this.textCallId = jsonTool !== null && beginsAsObject(text) ? this.uniqueId("text_1") : null;
    if (jsonTool === null || this.textCallId === null) onChunk({ type: "text", text });
    else onChunk({ type: "tool_call_delta", tool_call_id: this.textCallId, name: jsonTool, arguments: text });
  }

  private showReasoning(text: string): void {
    if (text !== "") this.settings.onChunk({ type: "reasoning", text });
  }

  private showCall(id: string, add: (run: TextRun) => string): void {
    const call = this.calls.get(id);
    if (call === undefined) return;
    const text = add(call.run);
    if (text === "") return;
    const { secrets, onChunk } = this.settings;
    const named = { tool_call_id: secrets.masked(call.id), name: secrets.masked(call.name) };
    onChunk({ type: "tool_call_delta", ...named, arguments: text });
  }

  private message(): Assistant {
    this.showText(this.content.end());
    for (const { run } of this.reasoning) this.showReasoning(run.end());
    const reasoning = this.reasoning.flatMap(reasoningOf);
    const tool_calls = [...this.calls.values()].map(({ id, name, run, metadata }) => ({
      tool_call_id: id,
      name,
      arguments: run.text,
      ...(Object.keys(metadata).length === 0 ? {} : { provider_metadata: metadata }),
    }));
    return {
      role: "assistant",
      content: this.content.text,
      ...(reasoning.length === 0 ? {} : { reasoning }),
      tool_calls,
    };
  }

  private withCallsOfText(message: Assistant): Assistant {
    const { rest, calls } = callsInText(message.content, this.settings.tools, this.settings.jsonTool);
    const tool_calls = calls.map((call, index) => ({
      tool_call_id: (index === 0 ? this.textCallId : null) ?? this.uniqueId(`text_${index + 1}`),
      ...call,
    }));
    return tool_calls.length === 0 ? message : { ...message, content: rest, tool_calls };
  }

  private uniqueId(id: string): string {
    let unique = id;
    for (let count = 2; this.callIds.has(unique); count++) unique = `${id}_${count}`;
    this.callIds.add(unique);
    return unique;
  }

  private refuseMalformed(message: Assistant): void {
    if (message.tool_calls.length > MAX_TOOL_CALLS)
      throw this.failure("malformed", `the reply asks for ${message.tool_calls.length} calls of tools at once`);
    if (!assistantSchema.safeParse(message).success) {
      throw this.failure("malformed", "the reply does not fit its schema: a tool call without a usable id or name");
    }
    if (this.holdsKey(message)) {
      throw this.failure("malformed", "the reply repeats the key of the request, so it is not kept");
    }
  }

  /** True when a key is in the message, or was masked while it came. */
  private holdsKey(message: Assistant): boolean {
    const runs = [this.content, ...[...this.reasoning, ...this.calls.values()].map(({ run }) => run)];
    return runs.some((run) => run.hasMasked) || this.settings.secrets.isIn(JSON.stringify(message));
  }

  private failure(kind: ModelFailureKind, reason: string): ModelFailure {
    return new ModelFailure(kind, {
      reason: this.settings.secrets.scrub(reason),
      ...(this.finish === null ? {} : { usage: this.usage() }),
    });
  }
}

function reasoningOf({ run, at, metadata }: OpenReasoning): Reasoning[] {
  const hasMetadata = Object.keys(metadata).length > 0;
  if (run.text === "" && !hasMetadata) return [];
  return [
    {
      text: run.text,
      ...(at === 0 ? {} : { at }),
      ...(hasMetadata ? { provider_metadata: metadata } : {}),
    },
  ];
}

function addMetadata(to: ProviderMetadata, more: unknown): void {
  if (more === undefined) return;
  // What has no JSON form cannot be stored and sent back.
  const plain = JSON.parse(JSON.stringify(more)) as Record<string, Record<string, Json>>;
  for (const [provider, entries] of Object.entries(plain)) to[provider] = { ...to[provider], ...entries };
}

function finishReasonOf(unified: string, hasCalls: boolean): FinishReason {
  if (hasCalls) return "tool_calls";
  return unified === "stop" || unified === "length" ? unified : "other";
}
