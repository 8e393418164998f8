// Every command that triage prints for a state, run as printed and then whatever leads on, until no run needs attention.
import { expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { basename } from "node:path";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { executionStateSchema, isTerminal } from "../../src/run/log/lifecycle.ts";
import { answerIn, type LivePlace } from "./live-place.ts";
import { OPERATOR_STATES, Stood } from "./operator-states.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

/** Commands that change nothing, or wait. */
const LOOKS = /^(?:inspect|triage|status|watch|list|verify|report show|repair .*--dry-run)\b/;
const isLook = (command: string): boolean => LOOKS.test(wordsOf(command));
/** The report or the check of a damaged run says so. */
const LOOK_CODES = new Set([0, 12]);
const MOST_COMMANDS = 8;

function wordsOf(command: string): string {
  return command.replace(/^deep-research ((?:report )?[\w-]+) \S+/, "$1");
}

/** What a person writes in the place of words that stand for others. */
function filled(command: string, place: LivePlace): string {
  return command
    .replace('"..."', "'How are errors in options reported?'")
    .replace(" PATH", ` ${place.path}/docs`)
    .replace(" FILE", ` ${place.runRoot}/operator/drafts/plan.1.json`);
}

interface Seen {
  conditions: string[];
  commands: string[];
  needsSomebody: boolean;
  /** Nothing continues with it. */
  isAtRest: boolean;
}

async function triage(place: LivePlace, runRoot: string, options = {}): Promise<Seen> {
  const { contract, result, error } = answerIn(await place.run(["triage", runRoot, "--json"], options));
  if (error !== null) throw new Error(JSON.stringify(error));
  const { findings } = result as {
    findings: { condition: string; needs_attention: boolean; next_commands: string[] }[];
  };
  const state = executionStateSchema.parse(contract.execution_state);
  return {
    conditions: findings.map(({ condition }) => condition),
    commands: [...new Set(findings.flatMap(({ next_commands }) => next_commands))],
    needsSomebody: findings.some(({ needs_attention }) => needs_attention),
    isAtRest: isTerminal(state),
  };
}

/** "done", or each command with what it said when they lead nowhere. */
async function follow({ place }: Stood, first: string): Promise<"done" | string[]> {
  let [command, runRoot] = [first, place.runRoot];
  const said: string[] = [];
  const met = new Set([canonicalJson([basename(runRoot), first])]);
  for (let count = 1; count <= MOST_COMMANDS; count++) {
    const told = await place.runPrinted(`${filled(command, place)} --json`);
    const { contract, error } = answerIn(told);
    said.push(`${wordsOf(command)}: ${told.code} ${error?.hint ?? ""}`);
    if (contract.run_root !== null) runRoot = contract.run_root;
    if (!fs.existsSync(runRoot)) return "done";
    if (error !== null && !isLook(command)) {
      // What is refused says what is not: only that leads on.
      const [inHint] = /deep-research (?:(?!; )[^\n])+/.exec(error.hint ?? "") ?? [];
      if (inHint === undefined || isLook(inHint)) return said;
      command = inHint.replace(" --json", "");
    } else {
      if (isLook(command) && !LOOK_CODES.has(told.code)) return said;
      const seen = await triage(place, runRoot);
      if (!seen.needsSomebody && (seen.isAtRest || isLook(first))) return "done";
      const way = seen.commands.find((next) => !isLook(next));
      if (way === undefined) return [...said, "no way on"];
      command = way;
    }
    const sign = canonicalJson([basename(runRoot), command]);
    if (met.has(sign)) return [...said, `again: ${command}`];
    met.add(sign);
  }
  return said;
}

for (const state of OPERATOR_STATES)
  test(`${state.name}: every command that triage prints leads to where no run needs attention`, async () => {
    await using stood = await Stood.of(state);
    const { place, whileLookedAt } = stood;
    const seen = await triage(place, place.runRoot, whileLookedAt);
    expect(seen.conditions[0]).toBe(state.condition);
    expect(seen.commands.length).toBeGreaterThan(0);
    const ends: [string, unknown][] = [];
    for (const command of seen.commands) {
      await stood.again();
      ends.push([wordsOf(command), await follow(stood, command)]);
    }
    expect(ends).toEqual(ends.map(([words]) => [words, "done"]));
  });
