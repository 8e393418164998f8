// The parts of docs/ that are made from the code: the command reference and the JSON schemas.
import { type AnyCommand, flagsOf } from "../../src/cli/command.ts";
import packageJson from "../../package.json" with { type: "json" };
import { fieldsOf } from "../../src/cli/perform.ts";
import { COMMAND_GROUPS, COMMANDS } from "../../src/cli/command-table.ts";
import { openApi } from "../../src/console/openapi.ts";
import { exitOf } from "../../src/cli/exits.ts";
import { isRetryable } from "../../src/surface/error-table.ts";
import { ERROR_CODES, type ErrorCode, type Fault, RunError } from "../../src/kernel/errors.ts";
import { helpOfCommand } from "../../src/cli/help/command-help.ts";
import { command as start } from "../../src/cli/commands/start.ts";
import { type Field, type FieldTable, flagName } from "../../src/kernel/field.ts";
import { MAX_WIDTH, paragraph } from "../../src/cli/terminal/layout.ts";
import { jsonSchemaOf, SCHEMAS } from "../../src/surface/schemas.ts";

const NOTE = "<!-- Made by `bun run docs` from the code; a test keeps it fresh. -->";

/** What the help of so many commands says in the same words stands once, above them. */
const MANY = 15;

export async function cliPage(): Promise<string> {
  const groups = await Promise.all(
    COMMAND_GROUPS.map(async ({ title, commands }) => ({
      title,
      helps: await Promise.all(
        Object.entries(commands).map(async ([name, entry]) => helpBlocks(name, (await entry.load()).command)),
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
  lines.push(...errorCodes());
  return formatted(page(lines), "cli.md");
}

const SHARED_NOTE =
  "`deep-research help COMMAND` prints also the exit statuses of a command ([in general](operations.md#exit-statuses-and-what-cron-should-do)) and its configuration. Options that most commands share stand here once; those that name a run belong to the commands that take `<run>`.";

/** What the manual page says and this page leaves to it. */
const LEFT_TO_THE_MANUAL = /^(?:Exit status|Configuration|See also)\b/;

function withoutTitle(block: string): string {
  return block.replace(/^(?:Description|Examples)\n/, "");
}

function helpBlocks(name: string, command: AnyCommand): { name: string; blocks: string[] } {
  const ofStartItself = flagsOf(start);
  const isOfStart = (key: string, field: Field): boolean =>
    name !== "start" && ofStartItself[key] !== undefined && ofStartItself[key].about === field.about;
  const own = (table: FieldTable): FieldTable =>
    Object.fromEntries(Object.entries(table).filter(([key, field]) => !isOfStart(key, field)));
  const notes = (command.notes ?? []).filter((note) => name === "start" || start.notes?.includes(note) !== true);
  const alike = Object.entries(flagsOf(command)).flatMap(([key, field]) =>
    isOfStart(key, field) ? [flagName(key)] : [],
  );
  const shown = { ...command, fields: own(command.fields), options: own(command.options), notes };
  const help = helpOfCommand(name, shown, MAX_WIDTH);
  const [title = "", usage = "", ...rest] = help.trimEnd().split("\n\n");
  const about = title.slice(title.indexOf(" - ") + " - ".length);
  const blocks = [`${usage.replace(/^Usage\n {2}/, "")}\n  ${about}`, ...rest.map(withoutTitle)];
  if (alike.length > 0) blocks.push(`Options as those of start\n${paragraph(ofStart(alike), MAX_WIDTH, "  ")}`);
  // A further paragraph of a section comes without its title.
  let isLeft = false;
  const kept = blocks.filter((block) => {
    if (!block.startsWith(" ")) isLeft = LEFT_TO_THE_MANUAL.test(block);
    return !isLeft;
  });
  return { name, blocks: kept };
}

/** The shorter list of two: those that a command shares with start, or those that it does not have. */
function ofStart(alike: readonly string[]): string {
  const others = Object.keys(flagsOf(start))
    .map(flagName)
    .filter((flag) => !alike.includes(flag));
  return others.length < alike.length ? `all but ${others.join(" ")}` : alike.join(" ");
}

/** By exit status; with a star where the same command may succeed later. */
function errorCodes(): string[] {
  const statusOf = (code: ErrorCode): string =>
    code === "INTERRUPTED_BY_SIGNAL" ? "130 or 143" : String(exitOf(new RunError<Fault>(code, {})));
  const named = (code: ErrorCode): string => `\`${code}\`${isRetryable(code) ? "\\*" : ""}`;
  const lines = [...Map.groupBy(ERROR_CODES, statusOf)].map(
    ([status, codes]) => `- ${status}: ${codes.map(named).join(", ")}`,
  );
  return ["## Error codes", "", "By exit status; \\* where the same command may succeed later.", "", ...lines];
}

/** The files of docs/schemas, by name. */
export async function schemaFiles(): Promise<Record<string, string>> {
  const documents: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(SCHEMAS).map(([name, known]) => [name, jsonSchemaOf(known)])),
    openapi: await openApi(fieldsOf(COMMANDS), packageJson.version),
  };
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [
      `${name}.json`,
      formatted(JSON.stringify(document), "schema.json"),
    ]),
  );
}

/** As `bun fmt` leaves it, so that a file is both fresh and formatted. */
function formatted(text: string, name: string): string {
  const { stdout, success } = Bun.spawnSync([process.execPath, "fmt", "--no-script", `--stdin-filepath=docs/${name}`], {
    stdin: new TextEncoder().encode(text),
  });
  if (!success) throw new Error("bun fmt refused the file");
  return stdout.toString();
}

function page(lines: string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}
