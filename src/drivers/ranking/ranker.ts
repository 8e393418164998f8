// Has a model or an endpoint put passages in order, over conversations of the step. What fails leaves the order of the search.
import { isFault, type RunError } from "../../kernel/errors.ts";
import { memberOf } from "../../kernel/member.ts";
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { z } from "../../kernel/zod.ts";
import type { Ranking, TaskTools, Tool } from "../../ports/driver.ts";
import type { CallRole } from "../../run/role.ts";
import { mayJudge, mayRank, type RankGate } from "../../run/settings/rank.ts";
import { RANK_CHECK } from "./rank-check.ts";
import { readOrder, type Order } from "./read-order.ts";
import { RANK_SYSTEM, RANK_TOOL, requestText, type Shown } from "./shown.ts";

export interface Ranked extends Order {
  kind: "ranked";
}

/** `why`: a sentence for the notes of the findings. */
export interface Unranked {
  kind: "unranked";
  why: string;
}

export interface Ranker {
  /** What a reader should know about it. */
  note?: string;
  /** `name`: of the conversation, unique within the step. */
  rank(name: string, question: string, passages: readonly Shown[]): Promise<Ranked | Unranked>;
}

/** The most that is ever shown at once. */
export const MOST_SHOWN = 30;

/** Null where nothing ranks. */
export async function openRanker(tools: TaskTools): Promise<Ranker | Unranked | null> {
  const { ranking } = tools;
  if (ranking === undefined) return null;
  if (ranking.by === "endpoint") return { rank: async (...request) => await byEndpoint(tools, ...request) };
  const gate = ranking.gate ?? (await checked(ranking, tools));
  if ("kind" in gate) return gate;
  if (!mayRank(gate)) return unranked(`it put ${gate.first} of 8 known passages first where 6 are needed`);
  return {
    ...(mayJudge(gate) ? {} : { note: orderAlone(gate) }),
    async rank(...request) {
      const found = await byModel(ranking, tools, ...request);
      return found.kind === "unranked" || mayJudge(gate) ? found : { ...found, ...ORDER_ALONE };
    },
  };
}

const ORDER_ALONE = { marks: [], answers: null, lookFor: "" } as const;

/** Sends the twelve requests side by side. What a model got right is known to later runs, too. */
async function checked(ranking: Ranking, tools: TaskTools): Promise<RankGate | Unranked> {
  tools.say("checking how the model ranks");
  const sent = RANK_CHECK.requests.map(async ({ system, user }, at) => {
    const name = `rank-check-${at + 1}`;
    return await replyIn(tools, { name, role: "researcher", tools: [TOOL], system, user });
  });
  // Each is over before an error of one ends the step.
  const ended = await Promise.allSettled(sent);
  const replies: string[] = [];
  for (const one of ended) {
    if (one.status === "rejected") throw one.reason;
    if (typeof one.value !== "string") return unranked(reasonOf(one.value));
    replies.push(one.value);
  }
  const gate = RANK_CHECK.judge(replies);
  ranking.note(gate);
  return gate;
}

// --- a model ------------------------------------------------------------------------------------------------------

interface Size {
  /** Tokens of a request and its reply. */
  context: number;
  passages: number;
  /** Of one passage. A passage is a little shorter than the largest, so only the smallest size cuts any. */
  characters: number;
}

/** Fewer whole passages are better than more that are cut. */
const SIZES: readonly Size[] = [
  { context: 14_000, passages: MOST_SHOWN, characters: Infinity },
  { context: 6_000, passages: 12, characters: Infinity },
  { context: 0, passages: 8, characters: 600 },
];

/** Tries smaller requests where one is too long for the model. */
async function byModel(
  { contextTokens }: Ranking,
  tools: TaskTools,
  name: string,
  question: string,
  passages: readonly Shown[],
): Promise<Ranked | Unranked> {
  let failure: RunError | null = null;
  for (const size of SIZES.filter(({ context }) => contextTokens >= context)) {
    const shown = passages.slice(0, size.passages).map((passage) => withinLength(passage, size.characters));
    const user = requestText(question, shown);
    const request = {
      name: `${name}-${size.passages}`,
      role: "researcher",
      tools: [TOOL],
      system: RANK_SYSTEM,
      user,
    } as const;
    const reply = await replyIn(tools, request);
    if (typeof reply === "string") {
      const order = readOrder(
        reply,
        shown.map(({ sentences }) => sentences.length),
      );
      return order === null ? unranked("a reply could not be read") : { kind: "ranked", ...order };
    }
    failure = reply;
    if (reply.facts.kind !== "context_too_long") break;
  }
  return unranked(reasonOf(failure));
}

/** Takes any arguments: what does not fit is repaired when the reply is read. */
const TOOL: Tool = {
  description: RANK_TOOL,
  isSafe: () => true,
  run: async () => ({ content: "taken", is_error: false }),
};

function withinLength(passage: Shown, most: number): Shown {
  let left = most;
  const sentences = passage.sentences.filter((sentence, at) => (left -= sentence.length) >= 0 || at === 0);
  return { ...passage, sentences };
}

// --- an endpoint --------------------------------------------------------------------------------------------------

/** The reply of an endpoint's wire, which has checked that each passage is ranked once. Passages are counted from 1. */
const wireSchema = z.object({ order: z.array(z.int().min(1)).min(1) });

async function byEndpoint(
  tools: TaskTools,
  name: string,
  query: string,
  passages: readonly Shown[],
): Promise<Ranked | Unranked> {
  const documents = passages.map(({ title, sentences }) => [title, ...sentences].join("\n"));
  const user = JSON.stringify({ query, documents });
  const reply = await replyIn(tools, { name, role: "ranker", tools: [], user });
  if (typeof reply !== "string") return unranked(reasonOf(reply));
  const { data } = wireSchema.safeParse(unlessThrown((): unknown => JSON.parse(reply), null));
  if (data === undefined) return unranked(WHY.malformed);
  return { kind: "ranked", order: data.order.map((number) => number - 1), ...ORDER_ALONE };
}

// --- one reply ----------------------------------------------------------------------------------------------------

interface RankRequest {
  name: string;
  role: CallRole;
  tools: readonly Tool[];
  system?: string;
  user: string;
}

/** How often a request that failed in passing is sent in all. Between them the calls of the run wait. */
const MAX_SENT = 3;
/** What is stored belongs to other passages: the attempt fails, and the next one begins anew. */
const MISFIT = "other_conversation";

/** The text of the reply, or the arguments of its last call; or why there is none. Errors: a halt. */
async function replyIn(
  tools: TaskTools,
  { name, role, tools: own, system, user }: RankRequest,
): Promise<string | RunError> {
  const conversation = await tools.converse({ name, role, tools: own, isUnseen: true });
  if (system !== undefined) await conversation.say("system", system);
  await conversation.say("user", user);
  for (let sent = 1; ; sent++) {
    tools.signal.throwIfAborted();
    try {
      const { content, tool_calls } = await conversation.ask();
      await conversation.answer();
      return tool_calls.at(-1)?.arguments ?? content;
    } catch (error) {
      if (!isFault(error, "MODEL_FAILED") || error.facts.kind === MISFIT) throw error;
      if (error.facts.kind !== "transient" || sent === MAX_SENT) return error;
    }
  }
}

const WHY = {
  context_too_long: "the passages are too long for it",
  malformed: "its answer is no order of these passages",
  rate_limited: "it takes no further requests now",
  transient: "it cannot be reached, or fails",
};

/** In words of ours, since those of a server would be on the page. */
function reasonOf(failure: RunError | null): string {
  const { kind, status } = failure?.facts ?? {};
  const why = typeof kind === "string" ? memberOf<string>(WHY, kind) : undefined;
  return `${why ?? "it did not answer"}${typeof status === "number" ? ` (status ${status})` : ""}`;
}

function orderAlone({ verdicts }: RankGate): string {
  return `Passages are in the order of a model whose verdicts do not count: it was right about ${verdicts} of 12 questions, and 10 are needed.`;
}

function unranked(why: string): Unranked {
  return {
    kind: "unranked",
    why: `Passages are in the order of the search, and not of what was to rank them: ${why}.`,
  };
}
