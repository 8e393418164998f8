// Takes content files of one run along into a new one: those that verify. Each is read again when the new run stores it, so that
// one file at a time is in memory.
import { unlessDamaged } from "../../kernel/damage.ts";
import type { Ports } from "../../ports/ports.ts";
import type { LaterContent } from "../../ports/run-log.ts";
import type { ContentRef } from "../../run/common.ts";
import type { AnyRecord, RecordDraft } from "../../run/log/record.ts";

export class CarriedContent {
  readonly #ports: Pick<Ports, "store" | "clock">;
  readonly #runRoot: string;
  /** By path. */
  readonly contents = new Map<string, LaterContent>();

  constructor(ports: Pick<Ports, "store" | "clock">, runRoot: string) {
    this.#ports = ports;
    this.#runRoot = runRoot;
  }

  /** Takes these files along, if all of them verify. */
  async takes(refs: readonly ContentRef[]): Promise<boolean> {
    const { store, clock } = this.#ports;
    for (const ref of refs) {
      await clock.turn();
      if ((await unlessDamaged(store.readContent(this.#runRoot, ref))) === null) return false;
    }
    for (const ref of refs)
      this.contents.set(ref.path, { path: ref.path, read: () => store.readContent(this.#runRoot, ref) });
    return true;
  }

  /** The wanted sources among the records, by default all. `lost`: the digests of those that do not verify. */
  async sources(
    records: readonly AnyRecord[],
    isWanted: (digest: string) => boolean = () => true,
  ): Promise<{ sources: RecordDraft[]; lost: string[] }> {
    const sources: RecordDraft[] = [];
    const lost: string[] = [];
    for (const record of records) {
      if (record.kind !== "source.stored" || !isWanted(record.data.source.source_digest)) continue;
      if (await this.takes(record.data.files)) sources.push({ kind: "source.stored", data: record.data });
      else lost.push(record.data.source.source_digest);
    }
    return { sources, lost };
  }
}
