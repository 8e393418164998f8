// deep-research store migrate
import { text } from "../../kernel/field.ts";
import type { Migrated } from "../../ports/store-server.ts";
import { withServer } from "../../operations/store/with-server.ts";
import { defineCommand } from "../command.ts";
import { refusePassword } from "../configuration/store.ts";
import { BAD_USAGE, STORE_AWAY } from "../exits.ts";

export const command = defineCommand({
  description:
    "Makes the tables, or brings them up to this version; nothing that is there is changed or lost. Programs of the version before work on beside it. Several at once do it once.",
  seeAlso: ["store status", "store import", "worker"],
  operand: { name: "url", usage: "[<url>]", least: 0, most: 1 },
  fields: {
    url: text("URL", "the store, as its owner reaches it", "the one of --store"),
    worker_role: text("ROLE", "give this role the rights of a worker, and no more"),
  },
  examples: [
    ["store migrate postgres://owner@db/research --worker-role dr_worker", "the password comes from PGPASSFILE"],
    ["store migrate --store-file owner.url", "the URL, with its password, is in a file"],
  ],
  notes: [
    "A worker can neither change nor delete a record of a journal, nor content, nor a run, nor touch the tables.",
  ],
  exits: [[0, "the schema has this version"], BAD_USAGE, STORE_AWAY],
  async run({ ports }, { url, worker_role }) {
    if (url !== undefined) refusePassword(url);
    const result = await withServer(ports, (server) => server.migrate(worker_role ?? null), url);
    return { outcome: { result, run: null, error: null }, text: () => migratedText(result, worker_role) };
  },
});

function migratedText({ from, to, schema }: Migrated, role: string | undefined): string {
  const what = from === to ? `schema ${schema} has version ${to} already` : `schema ${schema} has version ${to} now`;
  return `${what}${role === undefined ? "" : `; ${role} has the rights of a worker`}\n`;
}
