// The journal of a run as its owner knows it: read once, when it is first needed, then extended by the owner's commits.
import { readOnce } from "../kernel/read-once.ts";
import type { RunWriter } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/log/record.ts";

export class RunView {
  /** This owner's records since the last call. Some of them may also have been read from the journal. */
  readonly #committed: AnyRecord[];
  readonly #stored: () => Promise<AnyRecord[]>;

  /** `committed`: the caller adds every record that this owner commits, in order. It is emptied here. */
  constructor(writer: Pick<RunWriter, "records">, committed: AnyRecord[] = []) {
    this.#stored = readOnce(() => writer.records());
    this.#committed = committed;
  }

  /** Every record up to the last commit, in order. Errors: those of `RunWriter.records`. */
  async records(): Promise<readonly AnyRecord[]> {
    const all = await this.#stored();
    const last = all.at(-1)?.seq ?? 0;
    all.push(...this.#committed.splice(0).filter(({ seq }) => seq > last));
    return all;
  }
}
