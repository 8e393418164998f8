// What the journal of a run holds, for one ownership: read once, when it is first asked for, then fed by this owner's commits.
import type { RunLog } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/record.ts";

export class RunView {
  readonly #read: () => Promise<AnyRecord[]>;
  /** This owner's own records; those that the reading found, too, are told apart by their number. */
  readonly #fresh: AnyRecord[] = [];
  #stored: Promise<AnyRecord[]> | null = null;

  constructor(store: Pick<RunLog, "records">, runRoot: string) {
    this.#read = () => store.records(runRoot);
  }

  /** Every record up to the last commit, in order. Errors: those of `RunLog.records`. */
  async records(): Promise<readonly AnyRecord[]> {
    this.#stored ??= this.#read().catch((error: unknown) => {
      // The next call reads again.
      this.#stored = null;
      throw error;
    });
    const all = await this.#stored;
    const last = all.at(-1)?.seq ?? 0;
    all.push(...this.#fresh.splice(0).filter(({ seq }) => seq > last));
    return all;
  }

  /** To be told of every record that this owner commits, in order. */
  note(record: AnyRecord): void {
    this.#fresh.push(record);
  }
}
