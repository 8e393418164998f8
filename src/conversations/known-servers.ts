// The servers of a run's models as its journal knows them: which have answered, how each counts tokens, what each refuses.
import type { ModelRequest, OnlyTool } from "../ports/model.ts";
import { calledModel, modelName } from "../run/settings/model-names.ts";
import { ROLES } from "../run/role.ts";
import type { Model, Usage } from "../run/model/model.ts";
import type { ModelProvider } from "../run/model/model-provider.ts";
import type { AnyRecord, RecordData } from "../run/log/record.ts";
import type { Settings } from "../run/settings/settings.ts";
import { messageTokensAtLeast } from "../run/money/token-bound.ts";

/** What a settlement says about the server. */
type Learned = Pick<RecordData<"usage.settled">, "input_bound" | "refused">;

/** Requests vary: one may have a larger share of its bound than those before it had. */
const MARGIN = 1.1;
/** No smaller share is relied on. */
const LEAST_SHARE = 0.25;
/** A server that counts less than this part of the least that a request holds has not counted all of it. */
const NEARLY_ALL = 0.9;
/** Shorter requests show nothing, since what the server adds around messages would be a large part. */
const LEAST_BOUND = 1_000;

/** The best way first. Anthropic holds a reply to a schema only as a call of a tool. */
const WAYS_TO_CALL: Record<ModelProvider, readonly OnlyTool[]> = {
  compatible: ["json_schema", "forced_call"],
  openai: ["json_schema", "forced_call"],
  google: ["json_schema", "forced_call"],
  anthropic: ["forced_call"],
  rerank: [],
};

export class KnownServers {
  readonly #answered = new Set<string>();
  /** By model: the largest share of the bound that its server counted. */
  readonly #shares = new Map<string, number>();
  /** By model and what its server refused. */
  readonly #refused = new Set<string>();

  constructor(records: readonly AnyRecord[]) {
    let settings: Settings | undefined;
    const calls = new Map<string, Model>();
    for (const { kind, data } of records) {
      if (kind === "run.created" || kind === "settings.changed") settings = data.settings;
      const called = kind === "usage.reserved" && settings !== undefined ? modelOf(settings, data.role) : undefined;
      if (kind === "usage.reserved" && called !== undefined) calls.set(data.reservation_id, called);
      if (kind !== "usage.settled") continue;
      const model = calls.get(data.reservation_id);
      if (model === undefined) continue;
      if (data.outcome === "answered") this.#answered.add(serverOf(model));
      this.#learn(model, data, data.usage);
    }
  }

  hasAnswered(model: Model): boolean {
    return this.#answered.has(serverOf(model));
  }

  /**
   * Notes that the server answered. Returns what the settlement has to say, so that the next owner of the run learns the same.
   * `bound`: the most tokens that the request can have had.
   */
  answered({ model, messages }: Pick<ModelRequest, "model" | "messages">, bound: number, usage: Usage): Learned {
    this.#answered.add(serverOf(model));
    const least = messages.reduce((sum, message) => sum + messageTokensAtLeast(message), 0);
    if (bound < LEAST_BOUND || (usage.input_tokens ?? 0) < least * NEARLY_ALL) return {};
    const learned = { input_bound: bound };
    this.#learn(model, learned, usage);
    return learned;
  }

  /** Notes that a request was too long though it should have fitted, or a way in which its tool cannot be called. */
  refused(model: Model, refused: NonNullable<Learned["refused"]>): Learned {
    this.#learn(model, { refused }, null);
    return { refused };
  }

  /** How a model has to call the one tool of a request; undefined when its server has refused all ways. */
  onlyTool(model: Model): OnlyTool | undefined {
    return WAYS_TO_CALL[model.provider].find((way) => !this.#hasRefused(model, way));
  }

  /** The share of the bound of a request that its server counts at most; 1 until it is known. */
  shareOf(model: Model): number {
    const share = this.#shares.get(nameOf(model));
    if (share === undefined || this.#hasRefused(model, "length")) return 1;
    return Math.min(1, Math.max(LEAST_SHARE, share * MARGIN));
  }

  #hasRefused(model: Model, what: NonNullable<Learned["refused"]>): boolean {
    return this.#refused.has(`${what} ${nameOf(model)}`);
  }

  #learn(model: Model, { input_bound, refused }: Learned, usage: Usage | null): void {
    const name = nameOf(model);
    if (refused !== undefined) this.#refused.add(`${refused} ${name}`);
    const counted = usage?.input_tokens ?? null;
    if (input_bound === undefined || counted === null) return;
    this.#shares.set(name, Math.max(this.#shares.get(name) ?? 0, counted / input_bound));
  }
}

function serverOf({ provider, base_url }: Model): string {
  return base_url ?? provider;
}

function nameOf(model: Model): string {
  return `${modelName(model)} ${serverOf(model)}`;
}

function modelOf(settings: Settings, role: string): Model | undefined {
  const known = ([...ROLES, "ranker"] as const).find((one) => one === role);
  return known === undefined ? settings.models?.default : calledModel(settings, known);
}
