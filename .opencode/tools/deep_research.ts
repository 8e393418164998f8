// The tools of deep-research for OpenCode: each is one call of the command line, and returns the JSON object that it prints.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The start of every command line, quoted for sh. `deep-research opencode install` writes its own place here. */
const INVOCATION = `bun '${fileURLToPath(new URL("../pai-tools/deep-research-cli.ts", import.meta.url)).replaceAll("'", "'\\''")}'`;

/** JSON Schema. The host reads it as it stands, and takes every argument for required: `""` and `[]` say nothing. */
type Schema =
  | { type: "string"; description: string; enum?: string[] }
  | { type: "array"; description: string; items: { type: "string" } };
type Arguments = Record<string, unknown>;

interface Session {
  sessionID: string;
  directory: string;
  abort: AbortSignal;
}

interface Tool {
  description: string;
  args: Record<string, Schema>;
  execute(args: Arguments, session: Session): Promise<string>;
}

// --- arguments ----------------------------------------------------------------------------------------------------

function text(description: string, choices?: string[]): Schema {
  return { type: "string", description, ...(choices === undefined ? {} : { enum: choices }) };
}

function list(description: string): Schema {
  return { type: "array", description, items: { type: "string" } };
}

const RUN = text('Id or folder of the run; "" for the newest');

/** A host need not check arguments: what is neither text nor a number counts as nothing. */
function said(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

type Input = Record<string, string | number | string[] | undefined>;

/** Undefined where nothing was said. */
function one(value: unknown): string | undefined {
  return said(value) === "" ? undefined : said(value);
}

function several(value: unknown): string[] | undefined {
  const values = [value]
    .flat()
    .map(said)
    .filter((each) => each !== "");
  return values.length === 0 ? undefined : values;
}

function number(value: unknown): number | undefined {
  return one(value) === undefined ? undefined : Number(said(value));
}

// --- the command line ---------------------------------------------------------------------------------------------

interface Ended {
  stdout: string;
  stderr: string;
}

/**
 * A session that is cancelled ends the command with SIGTERM: the run is interrupted, and goes on with the next tick. The input goes
 * over stdin, since every user of the machine reads a command line; only the name of the verb stands there.
 */
function run(verb: string, input: Input, { directory, abort }: Session): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const words = ["-c", `exec ${INVOCATION} "$@"`, "deep-research", "__asked", verb];
    const child = spawn("/bin/sh", words, { cwd: directory, signal: abort });
    const ended: Ended = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (ended.stdout += piece));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (ended.stderr += piece));
    child.on("error", reject);
    child.on("close", () => resolve(ended));
    // A command that is refused may end before it has read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ verb, said: input, common: {}, has_events: false, steps: "commands" }));
  });
}

async function answer(verb: string, input: Input, session: Session): Promise<string> {
  const { stdout, stderr } = await run(verb, input, session);
  return stdout.trim() === "" ? stderr : stdout;
}

function command(verb: string, description: string, args: Tool["args"], inputOf: (args: Arguments) => Input): Tool {
  return { description, args, execute: (given, session) => answer(verb, inputOf(given), session) };
}

// --- tools --------------------------------------------------------------------------------------------------------

export const start = command(
  "start",
  "Starts a research run over documents, and works on it until it stops. With the driver task it stops as soon as prompts wait to be answered.",
  {
    question: text("The question that the report answers"),
    corpus: list("Folders or files to research; [] for what is configured"),
    driver: text(
      "Who thinks. task: you answer its prompts; live: configured models; local: nobody, it shows passages",
      ["task", "live", "local"],
    ),
    mode: text("How wide and deep to go", ["quick", "standard", "deep"]),
    run_id: text(
      'An id for the new run; "" for one made from the time. Of a run with the same question: that run goes on',
    ),
  },
  ({ question, corpus, driver, mode, run_id }) => ({
    question: one(question),
    corpus: several(corpus),
    driver: one(driver),
    mode: one(mode),
    run_id: one(run_id),
  }),
);

const ofRun = (given: Arguments): Input => ({ run: one(given.run) });

export const tick = command(
  "tick",
  "Makes one bounded piece of progress. Call it again and again until the run is completed or halted.",
  { run: RUN },
  ofRun,
);

export const resume = command(
  "resume",
  "Lifts a pause, a hold or a halt, once what stood in the way is out of it, and works on the run until it stops.",
  { run: RUN },
  ofRun,
);

export const status = command("status", "Tells where a run stands now.", { run: RUN }, ofRun);

export const inspect = command(
  "inspect",
  "Tells everything about a run, or about one of its steps.",
  { run: RUN, step: text('The key of a step, such as wave1:overview; "" for the whole run') },
  ({ run: of, step }) => ({ run: one(of), step: one(step) }),
);

export const triage = command("triage", "Tells what is wrong with a run, why, and what to do.", { run: RUN }, ofRun);

export const search = command(
  "search",
  "Finds passages in documents, best first, to read and to quote.",
  { query: text("A few telling words"), corpus: list("Folders or files to search; [] for what is configured") },
  ({ query, corpus }) => ({ query: one(query), corpus: several(corpus) }),
);

export const report = command(
  "report show",
  "Gives the report of a run, with the sources behind its numbered citations.",
  { run: RUN, version: text('The number of an earlier version; "" for the current one') },
  ({ run: of, version }) => ({ run: one(of), version: number(version) }),
);

interface Inspected {
  result: { waits_for?: { text: string } | null } | null;
}

export const prompt: Tool = {
  description: "Gives the prompt of a step that waits for an answer: all that is needed to write the answer.",
  args: { run: RUN, step: text("The key of the step, as the halt names it") },
  async execute({ run: of, step }, session) {
    const inspected = await answer("inspect", { run: one(of), step: one(step) }, session);
    const { result } = JSON.parse(inspected) as Inspected;
    return result?.waits_for?.text ?? inspected;
  },
};

export const agent_result: Tool = {
  description:
    "Hands in the answer to the prompt of a step. It is judged at once; one that is refused names every fault, and may be handed in again.",
  args: {
    run: RUN,
    step: text("The key of the step that waits"),
    name: text('The name of the prompt that is answered, as the halt has it; "" for the one that waits now'),
    result: text("The answer, in exactly the form that the prompt asks for"),
  },
  execute: (given, session) => {
    const { run: of, step, name, result } = given;
    const input = { run: one(of), step: one(step), prompt: one(name), answer: said(result) };
    return answer("agent-result", { ...input, agent_run_id: one(session.sessionID) }, session);
  },
};
