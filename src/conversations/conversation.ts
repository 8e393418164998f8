// One conversation of a step with a model. Each message is durable before the next, and cut-off tool calls are repaired.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { describeCause, RunError } from "../kernel/errors.ts";
import { shortened } from "../kernel/shortened.ts";
import type { Conversation, ConversationOptions, Tool, ToolAnswer } from "../ports/driver.ts";
import { endsTick, halting, type Interrupted } from "../ports/interruption.ts";
import type { ContentRef } from "../run/common.ts";
import {
  nextMessageId,
  withMessage,
  type Assistant,
  type Message,
  type NewMessage,
  type ToolCall,
} from "../run/model/conversation.ts";
import { conversationFile } from "../run/log/layout.ts";
import type { RecordData, RecordDraft } from "../run/log/record.ts";
import { INLINE_LIMIT_BYTES } from "../run/log/step.ts";
import type { Stage } from "../run/stage.ts";
import {
  factsOf,
  knownFacts,
  noteCompleted,
  noteRequested,
  type CallFacts,
  type ConversationPlace,
  type StoredConversation,
} from "./conversation-log.ts";
import type { ModelCaller } from "./model-caller.ts";
import type { OwnedRun } from "./owned-run.ts";

interface ConversationContext {
  run: OwnedRun;
  caller: ModelCaller;
  stage: Stage;
  place: ConversationPlace;
  stored: StoredConversation;
  /** Is sent with the first request, and not stored. */
  note: string | null;
  signal: AbortSignal;
}

type AssistantMessage = Extract<Message, { role: "assistant" }>;
type Repair = RecordData<"message.stored">["repaired"];

/** A driver goes through it from the start. `#next` is the first message that the driver has not reached yet. */
export class StepConversation implements Conversation {
  readonly #context: ConversationContext;
  readonly #options: ConversationOptions;
  #next = 0;
  #requests = 0;

  constructor(context: ConversationContext, options: ConversationOptions) {
    this.#context = context;
    this.#options = options;
  }

  get model(): string {
    return this.#context.caller.modelOf(this.#options.role);
  }

  get messages(): readonly Message[] {
    return this.#context.stored.messages.slice(0, this.#next);
  }

  get asked(): number {
    return this.#requests;
  }

  async say(role: "system" | "user", content: string): Promise<void> {
    const there = this.#context.stored.messages[this.#next];
    if (there === undefined) await this.#store({ role, content });
    // A system message also names limits that only judge. When these have changed, the conversation continues as it began.
    else if (there.role !== role || (role === "user" && there.content !== content))
      throw this.#misfit(`a message of role ${role}`, there);
    this.#next++;
  }

  async ask(): Promise<Assistant> {
    const { place, stage, stored, caller, signal } = this.#context;
    const there = stored.messages[this.#next];
    if (there?.role === "assistant") {
      this.#next++;
      return there;
    }
    if (there !== undefined) throw this.#misfit("a reply of the model", there);
    const { role, tools, recall, isUnseen = false } = this.#options;
    const note = this.#requests++ === 0 ? this.#context.note : null;
    const answered = await caller.call(
      { place, stage, role, tools, messages: stored.messages, note, recall, isUnseen },
      signal,
    );
    await answered.settle((settlement) => this.#store(answered.message, { with: [settlement] }));
    this.#next++;
    return answered.message;
  }

  async answer(): Promise<void> {
    const reply = this.#context.stored.messages[this.#next - 1];
    if (reply?.role !== "assistant") throw this.#misfit("a reply of the model", reply);
    for (const call of reply.tool_calls) {
      this.#context.signal.throwIfAborted();
      const there = this.#context.stored.messages[this.#next];
      const isThere = there?.role === "tool" && there.tool_call_id === call.tool_call_id;
      if (!isThere) await this.#answerCall(reply, call);
      this.#next++;
    }
  }

  // --- tools --------------------------------------------------------------------------------------------------------

  /**
   * What the journal says about the call decides. A result that was recorded is filled in. A call that was never made is made.
   * A safe call that was cut off is made again, until it was cut off too often. Any other cut-off call waits for a person.
   */
  async #answerCall(reply: AssistantMessage, call: ToolCall): Promise<void> {
    const tool = this.#options.tools.find(({ description }) => description.name === call.name);
    const named = { message_id: reply.message_id, ...call };
    // Whether a call is safe was recorded when it was first made. That record decides, whatever its tool says now.
    const known = knownFacts(this.#context.stored.calls, named);
    const facts = known ?? factsOf(this.#context.stored.calls, named, (await tool?.isSafe(call.arguments)) ?? true);
    if (facts.completed !== null) {
      return await this.#storeResult(call, await this.#completedAnswer(facts.completed), "backfilled");
    }
    const isCutOff = facts.requested > 0;
    if (isCutOff && !facts.mayReplay && !facts.isSafe) throw this.#unknownOutcome(reply, call);
    const isGivenUp = isCutOff && !facts.mayReplay && facts.requested >= MAX_SAFE_ATTEMPTS;
    const answer = isGivenUp ? await this.#giveUp(reply, call, facts) : await this.#runTool(reply, call, tool, facts);
    await this.#storeResult(call, answer, isCutOff ? "replayed" : undefined);
  }

  /** A safe call that was cut off at every attempt becomes an error for the model. It did no harm, so no person has to decide. */
  async #giveUp(reply: AssistantMessage, call: ToolCall, facts: CallFacts): Promise<ToolAnswer> {
    const content = `This call could not be completed: it was cut off ${facts.requested} times.`;
    await this.#noteOutcome(facts, { ...this.#callFields(reply, call), outcome: "failed", value: content });
    return { content, is_error: true };
  }

  async #runTool(
    reply: AssistantMessage,
    call: ToolCall,
    tool: Tool | undefined,
    facts: CallFacts,
  ): Promise<ToolAnswer> {
    if (tool === undefined) return { content: this.#noSuchTool(call), is_error: true };
    // Results of the last reply are never left out of a request, so together they may take no more than half of it.
    const { caller, stored } = this.#context;
    const results = stored.messages.slice(stored.messages.indexOf(reply) + 1, this.#next);
    if (!caller.leavesRoom(this.#options.role, results)) return { content: TOO_MUCH_AT_ONCE, is_error: true };
    const { writer } = this.#context.run;
    const fields = this.#callFields(reply, call);
    noteRequested(facts, facts.requested + 1);
    await writer.commit([
      {
        kind: "tool.requested",
        data: {
          ...fields,
          is_safe: facts.isSafe,
          attempt: facts.requested,
          arguments_digest: digestOfBytes(call.arguments),
        },
      },
    ]);
    // This process may have been frozen here while another owner settled the call.
    if (!facts.isSafe && (await writer.isSuperseded()))
      throw new RunError("LOCK_LOST", { reason: "another process took over", run_root: writer.runRoot });
    let answer: ToolAnswer;
    try {
      answer = await tool.run(call.arguments);
    } catch (error) {
      // The call was stopped from outside, so it is not known how far it came.
      if (this.#context.signal.aborted || endsTick(error)) throw error;
      // The call failed by itself. A safe call may be made again. The outcome of any other is unknown.
      if (!facts.isSafe) throw this.#unknownOutcome(reply, call, error);
      await this.#noteOutcome(facts, { ...fields, outcome: "not_done" });
      throw error;
    }
    const { content, is_error, state } = answer;
    const outcome = is_error ? "failed" : "done";
    const kept = state === undefined ? {} : { state };
    const place = fitsInRecord(content) ? { value: content } : await this.#asFile(content);
    await this.#noteOutcome(facts, { ...fields, outcome, ...place, ...kept });
    return answer;
  }

  #noSuchTool({ name }: ToolCall): string {
    const names = this.#options.tools.map(({ description }) => description.name);
    return `There is no tool "${name}". There are: ${names.join(", ")}.`;
  }

  async #noteOutcome(facts: CallFacts, completed: RecordData<"tool.completed">): Promise<void> {
    await this.#context.run.writer.commit([{ kind: "tool.completed", data: completed }]);
    noteCompleted(facts, completed);
  }

  async #completedAnswer({ outcome, value, content, state }: RecordData<"tool.completed">): Promise<ToolAnswer> {
    if (outcome === "assumed_done") return { content: ASSUMED_DONE, is_error: false };
    const rest = { is_error: outcome === "failed", ...(state === undefined ? {} : { state }) };
    if (content === undefined) return { content: value ?? "", ...rest };
    const bytes = await this.#context.run.writer.readContent(content);
    return { content: new TextDecoder().decode(bytes), ...rest };
  }

  async #storeResult(call: ToolCall, { content, is_error, state }: ToolAnswer, repaired?: Repair): Promise<void> {
    const { tool_call_id, name } = call;
    const rest = { ...(is_error ? { is_error } : {}), ...(state === undefined ? {} : { state }) };
    await this.#store({ role: "tool", tool_call_id, name, content, ...rest }, { repaired });
  }

  #callFields(reply: AssistantMessage, { tool_call_id, name }: ToolCall) {
    return { ...this.#fields(), message_id: reply.message_id, tool_call_id, name };
  }

  #unknownOutcome(reply: AssistantMessage, call: ToolCall, failure?: unknown): Interrupted {
    const ending = failure === undefined ? "cut off" : `failed (${shortened(describeCause(failure), SHOWN_FAILURE)})`;
    return halting("tool_outcome_unknown", {
      reason: `a tool was called and ${ending}: whether it did its work is not known`,
      // What `settle --call` takes.
      call: `${this.#context.place.key}/${this.#context.place.conversation}/${reply.message_id}/${call.tool_call_id}`,
      ...this.#callFields(reply, call),
      arguments: shortened(call.arguments, SHOWN_ARGUMENTS),
    });
  }

  // --- messages -----------------------------------------------------------------------------------------------------

  async #store(message: NewMessage, extra: { with?: RecordDraft[]; repaired?: Repair } = {}): Promise<void> {
    const { run, stored } = this.#context;
    const numbered: Message = { message_id: nextMessageId(stored.messages), ...message };
    const text = canonicalJson(numbered);
    const place = fitsInRecord(text) ? { message: numbered } : await this.#asFile(text);
    const data: RecordData<"message.stored"> = {
      ...this.#fields(),
      message_id: numbered.message_id,
      role: numbered.role,
      ...place,
      ...(extra.repaired === undefined ? {} : { repaired: extra.repaired }),
    };
    await run.writer.commit([...(extra.with ?? []), { kind: "message.stored", data }]);
    stored.messages = withMessage(stored.messages, message);
  }

  #fields() {
    return { ...this.#context.place, stage: this.#context.stage };
  }

  async #asFile(text: string): Promise<{ content: ContentRef }> {
    const bytes = new TextEncoder().encode(text);
    const path = conversationFile(digestOfBytes(bytes));
    return { content: await this.#context.run.writer.storeContent(path, bytes) };
  }

  /** Fails this attempt. The next one begins the conversation anew. */
  #misfit(wanted: string, found: Message | undefined): RunError {
    return new RunError("MODEL_FAILED", {
      reason: "a stored conversation does not fit this step",
      kind: "other_conversation",
      asked: this.#requests,
      wanted,
      found: found === undefined ? "nothing" : `message ${found.message_id} of role ${found.role}`,
      ...this.#context.place,
    });
  }
}

function fitsInRecord(text: string): boolean {
  return Buffer.byteLength(text) <= INLINE_LIMIT_BYTES;
}

/** A process that dies twice in one call is bad luck, and the report stays the same. A third time the call may be why. */
const MAX_SAFE_ATTEMPTS = 3;
const TOO_MUCH_AT_ONCE = "This reply has already requested as much as fits. Request this again, by itself.";
const ASSUMED_DONE = "The call was cut off. A person has said that it was done; its output is not known.";
const SHOWN_ARGUMENTS = 2_000;
const SHOWN_FAILURE = 500;
