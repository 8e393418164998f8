// The folders under a runs root in which a run was to be made and never was.
import type { Ports } from "../../ports/ports.ts";
import type { UnbegunFolder } from "../../ports/run-folders.ts";

export async function neverBegun({ runs, folders }: Ports, runsRoot: string): Promise<UnbegunFolder[]> {
  const names = (await runs.names(runsRoot)) ?? [];
  const found: UnbegunFolder[] = [];
  for (const name of names) found.push(...[await folders.unbegunAt(`${runsRoot}/${name}`)].flatMap((one) => one ?? []));
  return found;
}
