// Remembers which tools of servers only read, and so may be called twice. The first answer counts, unless a later is stricter.
import { readOnce } from "../kernel/read-once.ts";
import type { OwnedRun } from "../conversations/owned-run.ts";
import type { Declarations } from "../ports/provider.ts";
import type { RecordDraft } from "../run/log/record.ts";
import type { ToolDeclaration } from "../run/model/tool-declaration.ts";

export class DeclaredTools {
  readonly #run: Pick<OwnedRun, "view" | "writer">;
  /** By server and tool: true when the tool always said that it only reads. */
  readonly #known = readOnce(() => this.#read());

  constructor(run: Pick<OwnedRun, "view" | "writer">) {
    this.#run = run;
  }

  /** True when each tool is known to only read. What is new is in the journal when this resolves. */
  async onlyRead({ tools, isComplete }: Declarations): Promise<boolean> {
    if (tools.length === 0) return isComplete;
    const known = await this.#known();
    const news: RecordDraft[] = [];
    for (const data of tools) {
      const before = known.get(keyOf(data));
      if (before === undefined || (before && !data.only_reads)) news.push({ kind: "tool.declared", data });
      note(known, data);
    }
    if (news.length > 0) await this.#run.writer.commit(news);
    return isComplete && tools.every((data) => known.get(keyOf(data)) === true);
  }

  async #read(): Promise<Map<string, boolean>> {
    const known = new Map<string, boolean>();
    for (const record of await this.#run.view.records()) if (record.kind === "tool.declared") note(known, record.data);
    return known;
  }
}

function note(known: Map<string, boolean>, data: ToolDeclaration): void {
  known.set(keyOf(data), (known.get(keyOf(data)) ?? true) && data.only_reads);
}

function keyOf({ server, tool }: ToolDeclaration): string {
  return `${server}:${tool}`;
}
