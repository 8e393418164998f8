// One call of a model: sends a request, reads its stream within the time limit, and returns the reply or throws a typed failure.
import { given } from "../kernel/given.ts";
import type { Clock } from "../ports/clock.ts";
import { ModelFailure, type CallOptions, type ModelReply, type ModelRequest } from "../ports/model.ts";
import { failureOf } from "./failure.ts";
import { asTalk, jsonNote, jsonOptions, toolInJson } from "./json-answer.ts";
import { promptOf } from "./prompt.ts";
import { ReplyBuilder } from "./reply.ts";
import type { ProviderModel, StreamOptions, ProviderOptions } from "./sdk.ts";
import type { Secrets } from "./secrets.ts";

interface Caller {
  model: ProviderModel;
  endpoint: string;
  clock: Clock;
  secrets: Secrets;
}

export async function callModel(caller: Caller, request: ModelRequest, options: CallOptions): Promise<ModelReply> {
  const { clock, secrets } = caller;
  const { signal, timeout_ms, onChunk = () => {} } = options;
  signal.throwIfAborted();
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const isTooLate = (): void => stop.abort(tooLate(timeout_ms));
  // The sleep rejects when the call ends first. Then nothing waits for it.
  clock.sleep(timeout_ms, stop.signal).then(isTooLate, () => {});
  const builder = new ReplyBuilder({
    modelId: request.model.name,
    takenCallIds: callIdsOf(request),
    tools: request.tools,
    jsonTool: toolInJson(request)?.name ?? null,
    secrets,
    onChunk,
  });
  let hasBegun = false;
  try {
    const parts = partsOf(caller.model, streamOptionsOf(caller.model, request), stop.signal);
    for (;;) {
      const { done, value: part } = await guarded(caller, stop.signal, () => parts.next());
      if (done === true) return builder.reply();
      hasBegun ||= OF_THE_REPLY.test(part.type);
      builder.take(part);
    }
  } catch (error) {
    throw hasBegun && error instanceof ModelFailure
      ? new ModelFailure(error.kind, { ...error.facts, begun: true })
      : error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.abort(new Error("the call is over"));
  }
}

/** The parts of a stream that come from the model. Others may come before the model sees the request. */
const OF_THE_REPLY = /^(text|reasoning|tool)-/;

/** Errors of the provider's package and of the network become failures. Errors of our own code stay what they are. */
async function guarded<T>(
  { endpoint, secrets, clock }: Caller,
  stopped: AbortSignal,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (stopped.aborted) throw stopped.reason;
    throw failureOf(error, { endpoint, secrets, nowMs: clock.nowMs() });
  }
}

/** The parts of one stream. Waiting ends with the signal, whatever the library does with it. A part that is an error is thrown. */
async function* partsOf({ languageModel }: ProviderModel, options: StreamOptions, signal: AbortSignal) {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  const untilStopped = <T>(work: Promise<T>): Promise<T> => {
    // Nothing waits for the one that comes second, so its rejection is handled here.
    for (const promise of [work, stopped]) promise.catch(() => {});
    return Promise.race([work, stopped]);
  };
  const { stream } = await untilStopped(Promise.resolve(languageModel.doStream({ ...options, abortSignal: signal })));
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await untilStopped(reader.read());
    if (done) return;
    if (value.type === "error") throw value.error;
    yield value;
  }
}

function streamOptionsOf(model: ProviderModel, request: ModelRequest): StreamOptions {
  const { messages, tools, max_output_tokens } = request;
  const { effort, temperature } = request.model;
  const { providerOptions } = model;
  const inJson = toolInJson(request);
  const sent = inJson === null ? messages : asTalk(messages, jsonNote(inJson));
  const streamOptions: StreamOptions = {
    prompt: promptOf(sent, request.send_reasoning_back === true),
    maxOutputTokens: max_output_tokens,
    ...given({ temperature, reasoning: effort, providerOptions }),
    ...(inJson === null ? toolOptions(tools, request.only_tool) : jsonOptions(inJson, model)),
  };
  // With one tool, its call mostly ends the conversation.
  return model.cacheMark === undefined
    ? streamOptions
    : withCacheMarks(streamOptions, model.cacheMark, tools.length > 1);
}

function toolOptions(
  tools: ModelRequest["tools"],
  onlyTool: ModelRequest["only_tool"],
): Pick<StreamOptions, "tools" | "toolChoice"> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, input_schema }) => ({
      type: "function" as const,
      name,
      description,
      inputSchema: input_schema,
    })),
    ...(onlyTool === "forced_call" ? { toolChoice: { type: "required" as const } } : {}),
  };
}

function callIdsOf({ messages }: ModelRequest): Set<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? message.tool_calls.map(({ tool_call_id }) => tool_call_id) : [],
    ),
  );
}

function tooLate(timeout_ms: number): ModelFailure {
  return new ModelFailure("transient", { reason: `no whole reply within ${timeout_ms} ms`, timed_out: true });
}

/**
 * Marks the end of the tools, of the system message and, when the conversation continues, of the whole request. Writing to the
 * cache costs more than sending, and pays only when the same is sent again.
 */
function withCacheMarks(options: StreamOptions, mark: ProviderOptions, continues: boolean): StreamOptions {
  const { prompt, tools = [] } = options;
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const last = continues ? prompt.length - 1 : system;
  return {
    ...options,
    prompt: prompt.map((message, at) =>
      at === system || at === last ? { ...message, providerOptions: mark } : message,
    ),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, providerOptions: mark } : tool)) }),
  };
}
