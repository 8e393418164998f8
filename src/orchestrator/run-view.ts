// The journal of a run as its owner knows it: read once, when it is first asked for, then fed by this owner's commits.
import { readOnce } from "../kernel/read-once.ts";
import type { RunWriter } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/record.ts";

export class RunView {
  /** This owner's own records; those that the reading found, too, are told apart by their number. */
  readonly #committed: AnyRecord[];
  readonly #stored: () => Promise<AnyRecord[]>;

  /** `committed`: filled by the caller with every record that this owner commits, in order, and emptied here. */
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
