// A request with a key, `Idempotency-Key` or `run_id`, has one run however often it is sent, also after a restart.
import { digestOfBytes, digestOfJson, hexOf } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { RouteRequest, ConsoleParts } from "./request.ts";
import { json } from "./replies.ts";
import { Turns } from "./turns.ts";

const MAX_KEY_LENGTH = 255;
const MAX_KEPT = 100;

interface Kept {
  body: string;
  /** Of a request that continued with a run of another id, its answer; else the id leads to the run. */
  resumed: string | null;
}

export class RepeatedRequests {
  readonly #parts: Pick<ConsoleParts, "ports" | "runsRoot">;
  readonly #turns = new Turns();
  readonly #kept = new Map<string, Kept>();

  constructor(parts: Pick<ConsoleParts, "ports" | "runsRoot">) {
    this.#parts = parts;
  }

  /** `work` gets the id of the run that it may begin. Errors: `ALREADY_EXISTS` for a key that came with another body. */
  async answer(call: RouteRequest, work: (runId: string | null) => Promise<Response>): Promise<Response> {
    const { run_id, resume: _anyway, ...rest } = call.body;
    const key = call.request.headers.get("idempotency-key");
    if (key === null && run_id === undefined) return await work(null);
    if (key !== null && run_id !== undefined)
      throw new RunError("INVALID_ARGS", { reason: "give run_id or Idempotency-Key, not both" });
    if (key !== null && (key === "" || key.length > MAX_KEY_LENGTH))
      throw new RunError("INVALID_ARGS", { reason: `Idempotency-Key has 1 to ${MAX_KEY_LENGTH} signs` });
    const body = hexOf(digestOfJson(rest));
    // The id says which key it is of, and which body came with it: so nothing else has to be stored.
    const prefix = key === null ? null : `dr_key_${hexOf(digestOfBytes(key)).slice(0, 24)}_`;
    const runId = prefix === null ? String(run_id) : prefix + body.slice(0, 12);
    return await this.#turns.take(prefix ?? runId, async () => {
      const kept = this.#kept.get(prefix ?? runId);
      if (kept !== undefined && kept.body !== body) throw cameOtherwise(runId);
      if (kept?.resumed != null) return json(JSON.parse(kept.resumed));
      if (prefix !== null) await this.#refuseOtherBody(prefix, runId);
      const response = await work(runId);
      if (response.ok) await this.#keep(prefix ?? runId, body, runId, response);
      return response;
    });
  }

  async #refuseOtherBody(prefix: string, runId: string): Promise<void> {
    const names = (await this.#parts.ports.runs.names(this.#parts.runsRoot)) ?? [];
    const other = names.find((name) => name.startsWith(prefix) && name !== runId);
    if (other !== undefined) throw cameOtherwise(other);
  }

  async #keep(key: string, body: string, runId: string, response: Response): Promise<void> {
    const text = await response.clone().text();
    const { run_id } = JSON.parse(text) as { run_id: string };
    this.#kept.set(key, { body, resumed: run_id === runId ? null : text });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function cameOtherwise(run_id: string): RunError {
  return new RunError("ALREADY_EXISTS", { reason: "another request came with this key", run_id });
}
