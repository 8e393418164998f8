// deep-research store status
import type { StoreStatus } from "../../ports/store-server.ts";
import { MAX_SKEW_MS } from "../../operations/setup/store-checks.ts";
import { withServer } from "../../operations/store/with-server.ts";
import { count, fileSize } from "../../surface/words.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE, STORE_AWAY } from "../exits.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/layout.ts";

export const command = defineCommand({
  description: "The server, its schema, the rights of the role that is used, the clocks, and how many runs wait.",
  seeAlso: ["doctor", "store migrate", "triage", "list"],
  fields: {},
  examples: [["store status", "of the store that is named"]],
  exits: [[0, "shown"], BAD_USAGE, STORE_AWAY],
  async run({ ports }) {
    const result = await withServer(ports, (server) => server.status());
    return { outcome: { result, run: null, error: null }, text: (style) => statusText(result, style) };
  },
});

function statusText(status: StoreStatus, style: Style): string {
  const { version, needed_version: needed, skew_ms } = status;
  const schema =
    version === needed
      ? `version ${version}`
      : style.warn(
          version < needed
            ? `version ${version}, ${needed} is needed: store migrate`
            : `version ${version}, newer than this program`,
        );
  const clock = Math.abs(skew_ms) > MAX_SKEW_MS ? style.warn(skewWords(skew_ms)) : skewWords(skew_ms);
  const rights = status.is_operator ? "may repair, remove, prune and import" : "a worker's";
  const rows = [
    ["store", status.store],
    [
      "server",
      `PostgreSQL ${status.server_version}${status.is_standby ? style.warn(", a standby that takes no writes") : ""}`,
    ],
    ["schema", `${status.schema}, ${schema}`],
    ["role", `${status.role}, ${rights}`],
    ["clock", clock],
    ["size", fileSize(status.bytes)],
  ];
  const roots = status.roots.map(({ root, runs, due, held, given_up }) => [
    style.bold(root),
    count(runs, "run"),
    `${held} at work`,
    `${due} due`,
    given_up === 0 ? "" : style.warn(`${given_up} need a person: triage --all`),
  ]);
  return `${columns(rows)}${roots.length === 0 ? "" : `\n${columns(roots)}`}`;
}

function skewWords(skewMs: number): string {
  if (Math.abs(skewMs) < 1) return "as the server's";
  return `${Math.abs(skewMs)} ms ${skewMs > 0 ? "ahead of" : "behind"} the server's`;
}
