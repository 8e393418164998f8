// The pages of docs/ that are made from the code: the command reference and the JSON schemas.
import { z } from "zod";
import { builtSchema } from "../../src/kernel/schema.ts";
import type { AnyCommand } from "../../src/cli/command.ts";
import { COMMAND_GROUPS } from "../../src/cli/command-table.ts";
import { errorEntry } from "../../src/cli/error-table.ts";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import { helpOfCommand } from "../../src/cli/command-help.ts";
import { SIGNAL_EXITS } from "../../src/cli/exits.ts";
import { MAX_WIDTH, meanings } from "../../src/cli/wrapping.ts";
import { haltSchema } from "../../src/run/halt.ts";
import { leaseRecordSchema } from "../../src/run/lease.ts";
import { dataSchemaOf, RECORD_KINDS } from "../../src/run/record.ts";
import { manifestSchema } from "../../src/run/manifest.ts";
import { reportV2Schema } from "../../src/run/report.ts";
import { requestSchema } from "../../src/run/request.ts";
import { findingsSchema, summarySchema } from "../../src/run/research.ts";
import { sourceSchema } from "../../src/run/source.ts";
import { envelopeSchema, eventSchema } from "../cli/envelope-schema.ts";

const NOTE = "<!-- Made by `bun run docs` from the code; a test keeps it fresh. -->";

/** What the help of so many commands says in the same words stands once, above them. */
const MANY = 15;

export async function cliPage(): Promise<string> {
  const groups = await Promise.all(
    COMMAND_GROUPS.map(async ({ title, commands }) => ({
      title,
      helps: await Promise.all(
        Object.entries(commands).map(async ([name, entry]) => helpBlocks(name, await entry.load())),
      ),
    })),
  );
  const times = new Map<string, number>();
  for (const block of groups.flatMap(({ helps }) => helps.flatMap(({ blocks }) => blocks)))
    times.set(block, (times.get(block) ?? 0) + 1);
  const shared = [...times].filter(([, count]) => count >= MANY).map(([block]) => block);
  // A paragraph of a section comes without its title, and so before the others.
  const onTop = [
    ...shared.filter((block) => block.startsWith(" ")),
    ...shared.filter((block) => !block.startsWith(" ")),
  ];
  const lines = ["# Commands", "", NOTE, "", SHARED_NOTE, "", "```text", onTop.join("\n\n").trimStart(), "```", ""];
  for (const { title, helps } of groups) {
    lines.push(`## ${title}`, "");
    for (const { name, blocks } of helps) {
      const own = blocks.filter((block) => !shared.includes(block));
      lines.push(`### ${name}`, "", "```text", own.join("\n\n"), "```", "");
    }
  }
  return formatted(page(lines));
}

const SHARED_NOTE =
  "`deep-research help COMMAND` prints the whole manual page of a command. What most of them share stands here once; what names a run belongs to the commands that take `<run>`.";

const SIGNALS = meanings(
  SIGNAL_EXITS.map(([status, meaning]) => [String(status), meaning]),
  MAX_WIDTH,
);

function helpBlocks(name: string, { command }: { command: AnyCommand }): { name: string; blocks: string[] } {
  const help = helpOfCommand(command, MAX_WIDTH).trimEnd();
  // The same lines end the exit statuses of most commands; a command that pauses or halts a run has its own.
  const own = help.replace(`\n${SIGNALS}`, "");
  return { name, blocks: [...own.split("\n\n"), ...(own === help ? [] : [`Exit status by signal\n${SIGNALS}`])] };
}

/** Exit statuses by error code, then one JSON Schema for each thing that other programs read. */
export function jsonPage(): string {
  const lines = [
    "# JSON",
    "",
    NOTE,
    "",
    "## Error codes and exit statuses",
    "",
    "| code | exit | retryable |",
    "|---|---|---|",
  ];
  for (const code of ERROR_CODES) {
    const { exit, retryable } = errorEntry(code);
    lines.push(`| ${code} | ${typeof exit === "number" ? exit : "130 or 143"} | ${retryable ? "yes" : "no"} |`);
  }
  lines.push("");
  const schemas: [string, string, z.ZodType][] = [
    ["dr.cli.v1", "what `--json` prints", envelopeSchema],
    ["dr.event.v1", "one line of `--jsonl`", eventSchema],
    ["manifest.v1", "`manifest.json`, which also holds `digest`", manifestSchema],
    ["report.v2", "`reports/<n>/report.json`", reportV2Schema],
    ["source.v1", "`sources/<hex>.json`", sourceSchema],
    ["findings.v1", "`wave-1/*.json`, `wave-2/*.json`", findingsSchema],
    ["summary.v1", "`summaries/*.json`", summarySchema],
    ["halt.v1, halt.timeout.v1", "`manifest.halt`, `logs/halt.timeout.v1.json`", haltSchema],
    ["lock.v1", "`.lock`, `.lock.<epoch>`", leaseRecordSchema],
    ["request.v1", "`requests/<id>.json`", requestSchema],
    [
      "journal.v1",
      "the `data` of each kind of record",
      z.object(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, builtSchema(dataSchemaOf(kind))]))),
    ],
  ];
  for (const [name, where, schema] of schemas) {
    const json = JSON.stringify(
      z.toJSONSchema(builtSchema(schema), { unrepresentable: "any", io: "output", reused: "ref" }),
      null,
      1,
    );
    lines.push(`## ${name}`, "", `${where}.`, "", "```json", json, "```", "");
  }
  return formatted(page(lines));
}

/** As `bun fmt` leaves it, so that the page is both fresh and formatted. */
function formatted(text: string): string {
  const { stdout, success } = Bun.spawnSync([process.execPath, "fmt", "--no-script", "--stdin-filepath=docs/json.md"], {
    stdin: new TextEncoder().encode(text),
  });
  if (!success) throw new Error("bun fmt refused the page");
  return stdout.toString();
}

function page(lines: string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}
