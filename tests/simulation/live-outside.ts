// The world around a live run: a scripted model, a board that a risky tool posts to, pages that give nothing.
import type { Driver, Tool } from "../../src/ports/driver.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import type { Models } from "../../src/ports/model.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { timestamp } from "../../src/ports/clock.ts";
import { helpFor } from "../../src/run/report/blocked-urls.ts";
import type { DriverId } from "../../src/run/settings/settings.ts";
import { liveDriver } from "../../src/drivers/live.ts";
import { PRICES } from "../live/live-run.ts";
import { portModels, type PortScript } from "../live/port-models.ts";
import { postsNotes, RISKY_TOOL } from "../live/risky-model.ts";
import { isOfPart, named, submits, taskOf } from "../live/well-behaved.ts";
import { asksFor } from "../models/answers.ts";
import { Outside, aliveAndAwake } from "./run-outside.ts";
import type { Actor } from "./world.ts";

const MODEL = { provider: "compatible", name: "scripted", base_url: "http://127.0.0.1:1/v1" } as const;

const ADDED = { id: "values", text: "how values of options are kept" };

/** Simulated time of one call: enough for calls side by side to overlap, and for a heartbeat now and then. */
const CALL_MS = 400;

/**
 * Posts notes, and wants one more search, so that a run has both waves. The look between them adds a part to the question and
 * drops another, and the first review asks for research.
 */
export function searchesAgain(request: Parameters<typeof postsNotes>[0]): ReturnType<typeof postsNotes> {
  const task = taskOf(request);
  const { user } = task;
  if (isOfPart(task, ADDED.id))
    return asksFor(named(task, [submits({ verdicts: [{ id: ADDED.id, why: "it asks", verdict: "framing" }] })]));
  if (task.who === "review" && (task.messages[0]?.content ?? "").includes("this is draft 1")) {
    const [{ part_id } = { part_id: "" }] = (JSON.parse(user) as { parts: { part_id: string }[] }).parts;
    const wish = { kind: "research", target: "s1", detail: "more on files", part_id, queries: ["file names dash"] };
    return asksFor(named(task, [submits({ decision: "revise", directives: [wish] })]));
  }
  if (task.who !== "pivot") return postsNotes(request);
  const gaps = [{ part_id: ADDED.id, missing: `more on ${ADDED.text}`, queries: [`another look at ${ADDED.text}`] }];
  const changes = { add_parts: [ADDED], drop_parts: [{ part_id: "errors", reason: "not_asked" }] };
  return asksFor(named(task, [submits({ gaps, ...changes })]));
}

export class LiveOutside extends Outside {
  override asked: Partial<InitOptions> = {
    driver: "live",
    models: { default: MODEL, max_output_tokens: 1_000 },
  };
  override prices = [PRICES];
  script: PortScript = searchesAgain;
  /** How many replies the model gave. */
  replies = 0;
  /** What the risky tool was called with, in order. */
  posted: string[] = [];
  /** Runs when the risky tool has done its work and nobody knows it yet. */
  afterPost: (actor: Actor) => void = () => undefined;

  override clone(copy = new LiveOutside(this.documents)): LiveOutside {
    super.clone(copy);
    copy.script = this.script;
    copy.replies = this.replies;
    copy.posted = [...this.posted];
    return copy;
  }

  override driverFor(actor: Actor, id: DriverId, version?: string): Driver {
    return id === "live" ? this.watched(actor, this.#withBoard(actor)) : super.driverFor(actor, id, version);
  }

  override async modelsFor(actor: Actor): Promise<Models> {
    return portModels(async (request, signal) => {
      await aliveAndAwake(actor);
      await actor.clock.sleep(CALL_MS, signal);
      const answer = await this.script(request, signal);
      this.replies++;
      return answer;
    });
  }

  /** The live driver, whose researchers have a tool that is not safe. */
  #withBoard(actor: Actor): Driver {
    const board: Tool = {
      description: RISKY_TOOL,
      isSafe: () => false,
      run: async (note) => {
        await aliveAndAwake(actor);
        this.posted.push(note);
        this.afterPost(actor);
        await aliveAndAwake(actor);
        return { content: "posted", is_error: false };
      },
    };
    return {
      ...liveDriver,
      perform: async (kind, input, tools) =>
        await liveDriver.perform(kind, input, {
          ...tools,
          converse: async (options) =>
            await tools.converse(
              options.role === "researcher" ? { ...options, tools: [...options.tools, board] } : options,
            ),
        }),
    };
  }

  /** Each search meets a page that gives nothing. */
  protected override providerFor(actor: Actor, corpus: string): Provider {
    const provider = super.providerFor(actor, corpus);
    const met: string[] = [];
    return {
      ...provider,
      search: async (query, ...rest) => {
        met.push(`https://example.org/${encodeURIComponent(query)}`);
        return await provider.search(query, ...rest);
      },
      takeBlocked: () =>
        met.splice(0).map((url) => ({
          url,
          provider_id: "web",
          reason: "too_slow",
          detail: "it never answers",
          help: helpFor("too_slow"),
          blocked_at: timestamp(actor.clock.nowMs()),
        })),
    };
  }
}
