// Every command that a halt names is run as printed, each on its own copy of the halted run: it only looks, or the run
// gets to its end and never back to a halt that it has met.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { shellQuote } from "../../src/kernel/shell.ts";
import { haltForBug } from "../../src/orchestrator/bug-halt.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import { haltKindSchema } from "../../src/run/log/halt.ts";
import type { HaltKind } from "../../src/run/log/halt-kinds.ts";
import { knownHalt } from "../../src/run/log/halt-details.ts";
import { promptFile } from "../../src/run/log/layout.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import { citationsOf, judges, named, pageOf, restated, submits, taskOf, wellBehaved } from "../live/well-behaved.ts";
import { asksFor, OUT_OF_QUOTA, rateLimited, says, UNAUTHORIZED } from "../models/answers.ts";
import type { Answer, MessageAnswer, SeenRequest } from "../models/answers.ts";
import { testPorts, TO_RUNNING } from "../operations/made-run.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { answerWell, readPrompt, type ReadPrompt } from "../task/outside-agent.ts";
import { INIT, isLate, losesCall } from "./halted-places.ts";
import { answerIn, FEW, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

interface Row {
  name: string;
  /** The model until the run halts; afterwards it does everything well. */
  model?: (request: SeenRequest) => Answer;
  /** Makes the run that halts. */
  make: (place: LivePlace) => Promise<unknown>;
  /** What the words next to a command ask a person to do before. */
  fix?: (place: LivePlace) => void;
  /** The commands that lead on, as verb and flags. */
  ways: (string | RegExp)[];
}

const starts =
  (...flags: string[]) =>
  (place: LivePlace) =>
    place.start(flags);

const startsLocal =
  (question: string, ...flags: string[]) =>
  (place: LivePlace) =>
    place.run(["start", question, "--corpus", "docs", ...FEW, ...flags]);

const plant = (place: LivePlace, text: string): void => fs.writeFileSync(`${place.path}/docs/more.md`, text);

// --- models that do not do their work -------------------------------------------------------------------------------

type Who = ReturnType<typeof taskOf>["who"];

const inTask =
  (who: Who, answer: (request: SeenRequest) => Answer) =>
  (request: SeenRequest): Answer =>
    taskOf(request).who === who ? answer(request) : wellBehaved(request);

const TOO_MUCH = ", and nothing else does.";

/** The draft, or the section, of as many citations as wanted, with claims that say more than their quotes. */
function drafts(request: SeenRequest, { most = 100, bold = 0 }): Answer {
  const task = taskOf(request);
  const page = pageOf(citationsOf(task).slice(0, most), (one, index) =>
    index < bold ? restated(one).replace(/\.$/, TOO_MUCH) : restated(one),
  );
  return asksFor(named(task, [submits({ page })]));
}

/** Writes so many claims that the verifier contradicts, for ever. */
const boldWriter =
  (bold: number) =>
  (request: SeenRequest): Answer => {
    const { who } = taskOf(request);
    if (who === "draft" || who === "section") return drafts(request, { bold });
    return who === "verify"
      ? judges(request, "contradicted", ({ statement }) => statement.endsWith(TOO_MUCH))
      : wellBehaved(request);
  };

/** Says more of every quote than it holds, and the verifier contradicts. */
function boldResearcher(request: SeenRequest): Answer {
  const { who } = taskOf(request);
  if (who === "verify") return judges(request, "contradicted", ({ statement }) => statement.endsWith(TOO_MUCH));
  const answer = wellBehaved(request) as MessageAnswer;
  const calls = (answer.tool_calls ?? []).map((call) => {
    const { statement, ...given } = call.arguments as { statement?: string };
    return statement === undefined
      ? call
      : { ...call, arguments: { ...given, statement: statement.replace(/\.$/, TOO_MUCH) } };
  });
  return { ...answer, tool_calls: calls };
}

/** Cuts every reply of the researchers after so many tokens. */
const cutAfter = (output: number) =>
  inTask("research", (request) => ({
    ...(wellBehaved(request) as MessageAnswer),
    finish: "length",
    usage: { input: 100, output },
  }));

const PRICES = {
  schema_version: "prices.v1",
  as_of: "2026-01-01",
  models: [{ provider: "compatible", name: "scripted", input: 0, output: 0 }],
};

// --- runs that no driver halts --------------------------------------------------------------------------------------

async function meetsBug(place: LivePlace): Promise<void> {
  await place.run(INIT);
  await owning(testPorts(), place.runRoot, { reason: "test", observer: {} }, async (ownership) => {
    await ownership.writer.commit([TO_RUNNING]);
    await haltForBug(ownership, new TypeError("nothing is a function"));
  });
}

// --- the halts ------------------------------------------------------------------------------------------------------

// --- runs in which agents outside do some of the work ------------------------------------------------------------------

/** Where agents outside are prompted again and again. */
const MOST_WITH_AGENTS = 40;

interface Waiting {
  key: string;
  /** The file that asks, within the run. */
  path: string;
}

function manifestAt(runRoot: string): Manifest {
  return JSON.parse(fs.readFileSync(`${runRoot}/manifest.json`, "utf8")) as Manifest;
}

function waitingAt(runRoot: string): Waiting[] {
  return Object.entries(manifestAt(runRoot).steps).flatMap(([key, { waits_for }]) =>
    waits_for === undefined ? [] : [{ key, path: waits_for.prompt.path }],
  );
}

async function handIn(place: LivePlace, key: string, answer: string, runRoot = place.runRoot): Promise<void> {
  await place.run(["agent-result", runRoot, "--step", key, "--input", "-", "--agent-run-id", "ID"], { answer });
}

/** Agents answer as `answerTo` says, else well, until the run waits for none. */
const withAgents =
  (answerTo: (key: string, prompt: ReadPrompt) => string | null, ...flags: string[]) =>
  async (place: LivePlace): Promise<void> => {
    await place.start(flags);
    for (let count = 0; count < MOST_WITH_AGENTS && waitingAt(place.runRoot).length > 0; count++) {
      for (const { key, path } of waitingAt(place.runRoot)) {
        const prompt = fs.readFileSync(join(place.runRoot, path), "utf8");
        await handIn(place, key, answerTo(key, readPrompt(prompt)) ?? answerWell(prompt, DOCUMENTS, "docs"));
      }
      await place.run(["run", place.runRoot]);
    }
  };

const WRITE_AGAIN = JSON.stringify({
  decision: "revise",
  directives: [{ kind: "other", target: "s1", detail: "Say what the quote says." }],
});

/** The first review asks for another draft, of which one statement is contradicted. */
function contradicting(key: string, { who, task }: ReadPrompt): string | null {
  if (key === "review:draft-1") return WRITE_AGAIN;
  if (key !== "review:revise-2" || who !== "verify") return null;
  const { statements } = JSON.parse(task) as { statements: { id: string }[] };
  const verdicts = statements.map(({ id }, at) => ({
    id,
    why: "read",
    verdict: at === 0 ? "contradicted" : "supported",
  }));
  return JSON.stringify({ verdicts });
}

const GATE_E_CONTRADICTED: Row = {
  name: "nothing is left of the report but what is contradicted",
  model: boldWriter(100),
  make: starts("--max-unsupported-share", "1"),
  ways: ["fork --mode deep"],
};

/** Each kind with what it may be raised for; none for a kind that this version never raises. */
const HALTS: Record<HaltKind, Row[]> = {
  agent_required: [
    {
      name: "a prompt without an answer",
      make: startsLocal(QUESTION, "--driver", "task"),
      ways: [/^agent-result --step perspectives:plan --prompt plan --input - --agent-run-id ID$/, "tick"],
    },
  ],
  human_review: [
    {
      name: "a plan that waits for approval",
      make: startsLocal(QUESTION, "--approve-plan"),
      ways: ["approve", "approve --input FILE"],
    },
    {
      name: "a plan of a model, which it makes again",
      make: starts("--approve-plan"),
      ways: ["approve", "approve --input FILE", 'approve "..."'],
    },
  ],
  quota: [
    { name: "used up", model: () => OUT_OF_QUOTA, make: starts(), ways: ["resume"] },
    { name: "until a time", model: () => rateLimited("3600"), make: starts(), ways: ["resume"] },
  ],
  internal: [{ name: "a bug", make: meetsBug, ways: ["resume", "fork"] }],
  tool_outcome_unknown: [
    {
      name: "a call that was cut off",
      make: losesCall,
      ways: [/^settle --call \S+ --assume-done$/, /^settle --call \S+ --replay$/],
    },
  ],
  no_evidence: [
    {
      name: "no document answers",
      make: startsLocal("What colour are the moons of Zorg?"),
      fix: (place) => plant(place, "# Zorg\n\nThe moons of Zorg have a green colour, as visitors write home.\n"),
      ways: ["resume", 'fork --question "..."'],
    },
  ],
  drift: (["refuse", "fork"] as const).map((policy) => ({
    name: `under the policy ${policy}`,
    async make(place) {
      await place.run([...INIT, "--on-drift", policy]);
      plant(place, "# More\n\nOptions are parsed from the left to the right.\n");
      await place.run(["run", place.runRoot]);
    },
    ways:
      policy === "refuse"
        ? ["resume --on-drift continue", "fork"]
        : ["resume --on-drift fork", "resume --on-drift continue"],
  })),
  timeout: [
    {
      name: "a stage that is late",
      make: isLate,
      ways: [/^fork --stage-timeout \d+$/],
    },
  ],
  budget: [
    { name: "early", make: starts("--max-calls", "2"), ways: [/^resume --max-calls \d+$/] },
    { name: "with a report", make: starts("--max-calls", "11"), ways: [/^resume --max-calls \d+$/] },
    {
      name: "an unknown price",
      async make(place) {
        place.user({ prices: PRICES });
        await place.run([...INIT, ...place.model, "--max-cost-usd", "1"]);
        place.user({});
        await place.run(["run", place.runRoot]);
      },
      fix: (place) => place.user({ prices: PRICES }),
      ways: ["resume"],
    },
  ],
  gate_blocked: [
    { name: "a refused key", model: () => UNAUTHORIZED, make: starts(), ways: ["resume", "fork"] },
    {
      name: "a step that failed",
      model: inTask("research", () => says("No.")),
      make: starts(),
      ways: ["resume", "fork"],
    },
    {
      name: "replies that were cut at their limit",
      model: cutAfter(1000),
      make: starts("--max-output-tokens", "1000"),
      ways: ["resume --max-output-tokens 2000"],
    },
    {
      name: "replies that were cut before it",
      model: cutAfter(10),
      make: starts("--max-output-tokens", "1000"),
      ways: ["resume", "fork"],
    },
    {
      name: "gate C, by what could not be checked",
      model: inTask("verify", () => rateLimited("0.01")),
      make: starts(),
      ways: ["verify --retry", "resume --max-unsupported-share 1"],
    },
    {
      name: "gate C, by what is contradicted",
      model: boldResearcher,
      make: starts(),
      ways: ["resume --max-unsupported-share 1", "fork --mode deep"],
    },
    {
      name: "gate E, by the share of unsupported claims",
      model: boldWriter(1),
      make: starts("--max-unsupported-share", "0"),
      ways: [/^resume --max-unsupported-share 0\.\d+$/, "fork --mode deep"],
    },
    {
      name: "gate E, by citation use",
      model: inTask("draft", (request) => drafts(request, { most: 1 })),
      async make(place) {
        await place.run([...INIT, ...place.model, "--min-citation-use", "0"]);
        await place.run(["run", place.runRoot, "--until", "review"]);
        await place.run(["resume", place.runRoot, "--min-citation-use", "1"]);
      },
      ways: [/^resume --min-citation-use 0\.\d+$/, "fork --mode deep"],
    },
    {
      name: "gate E, where somebody outside reviews",
      model: boldWriter(1),
      make: withAgents(
        () => null,
        "--max-unsupported-share",
        "0",
        "--max-rounds",
        "3",
        "--role-driver",
        "reviewer=task",
      ),
      ways: [
        /^resume --max-unsupported-share 0\.\d+$/,
        "agent-result --step review:draft-1 --replace --input - --agent-run-id ID",
        "fork --mode deep",
      ],
    },
    {
      name: "gate E, where agents write and review",
      make: withAgents(
        contradicting,
        "--max-unsupported-share",
        "0",
        "--max-rounds",
        "3",
        "--role-driver",
        "reviewer=task",
        "--role-driver",
        "writer=task",
        "--role-driver",
        "verifier=task",
      ),
      ways: [
        /^resume --max-unsupported-share 0\.\d+$/,
        "agent-result --step review:revise-2 --replace --input - --agent-run-id ID",
        "agent-result --step review:draft-2 --replace --input - --agent-run-id ID",
        "fork --mode deep",
      ],
    },
    GATE_E_CONTRADICTED,
    {
      ...GATE_E_CONTRADICTED,
      name: "the same, in mode deep",
      make: starts("--max-unsupported-share", "1", "--mode", "deep"),
      ways: ['fork --question "..."'],
    },
  ],
};

const LOOKS = ["inspect", "triage", "report show"];
/** From a halt to the end of a run, or to another halt and from there to the end. */
const MOST_COMMANDS = 5;

/** The copy that a person edits. */
const PLAN_FILE = "runs/dr_live/operator/drafts/plan.1.json";

function wordsOf(command: string): string {
  return command.replace(/^deep-research ((?:report )?[\w-]+) \S+/, "$1");
}

/** What a person writes in the place of the dots. */
function filled(command: string): string {
  return command.replace('"..."', shellQuote("How are errors in options reported?")).replace(" FILE", ` ${PLAN_FILE}`);
}

class HaltedRun implements AsyncDisposable {
  readonly place: LivePlace;
  readonly #runRoot: string;

  private constructor(place: LivePlace) {
    this.place = place;
    this.#runRoot = place.runRoot;
  }

  /** Halted for what the row says, which does not hold any more. */
  static async of({ model = wellBehaved, make, fix }: Row): Promise<HaltedRun> {
    const place = await LivePlace.open(model);
    await make(place);
    fs.cpSync(`${place.path}/runs`, `${place.path}/halted`, { recursive: true });
    place.server.script = wellBehaved;
    fix?.(place);
    return new HaltedRun(place);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.place[Symbol.asyncDispose]();
  }

  manifest(runRoot = this.#runRoot): Manifest {
    return manifestAt(runRoot);
  }

  /** Kind and details. */
  #factsAt(runRoot: string): string | null {
    const { halt } = this.manifest(runRoot);
    return halt === null ? null : canonicalJson(knownHalt(halt));
  }

  async nextCommands(runRoot = this.#runRoot): Promise<string[]> {
    const { result } = answerIn(await this.place.run(["status", runRoot, "--json"]));
    return (result as { next_commands: string[] }).next_commands;
  }

  /** What a good agent makes of the prompt that the step waits with; of a step that is done, another answer. */
  #answerTo(step: string, runRoot: string): string {
    const waiting = waitingAt(runRoot).find(({ key }) => key === step);
    const path = waiting?.path ?? promptFile({ stage: "review", key: step }, 1);
    const answer = answerWell(fs.readFileSync(join(runRoot, path), "utf8"), DOCUMENTS, "docs");
    if (waiting !== undefined) return answer;
    return step.startsWith("review:draft-") ? WRITE_AGAIN : answer.replaceAll("Said again:", "In other words:");
  }

  async #answerAll(runRoot: string): Promise<void> {
    for (const { key } of waitingAt(runRoot)) await handIn(this.place, key, this.#answerTo(key, runRoot), runRoot);
  }

  /** Runs a command on a copy of the halted run, and then whatever comes first, until the run is done or is where it was. */
  async follow(first: string): Promise<"completed" | "looked" | "back at the same halt" | "on the way"> {
    const { path } = this.place;
    fs.rmSync(`${path}/runs`, { recursive: true });
    fs.cpSync(`${path}/halted`, `${path}/runs`, { recursive: true });
    const met = new Set([this.#factsAt(this.#runRoot)]);
    let [command, runRoot] = [first, this.#runRoot];
    const hasAgents = fs.existsSync(`${this.#runRoot}/operator/prompts`);
    const most = hasAgents ? MOST_WITH_AGENTS : MOST_COMMANDS;
    for (let count = 1; count <= most; count++) {
      // A tick is printed for the time when all answers are in.
      if (wordsOf(command) === "tick") await this.#answerAll(runRoot);
      const [, step] = / agent-result .* --step (\S+)/.exec(command) ?? [];
      const answer = step === undefined ? {} : { answer: this.#answerTo(step, runRoot) };
      const { code, stdout } = await this.place.runPrinted(`${filled(command)} --json`, answer);
      runRoot = answerIn({ stdout }).contract.run_root ?? "";
      if (LOOKS.some((look) => wordsOf(command).startsWith(look))) return code === 0 ? "looked" : "on the way";
      if (this.manifest(runRoot).execution_state === "completed") return "completed";
      const facts = this.#factsAt(runRoot);
      if (facts !== null && met.has(facts)) return "back at the same halt";
      if (facts !== null) met.add(facts);
      command = (await this.nextCommands(runRoot))[0] ?? "";
    }
    return "on the way";
  }
}

for (const kind of haltKindSchema.options)
  describe(`${kind}: every command leads on`, () => {
    for (const row of HALTS[kind])
      test(row.name, async () => {
        await using halted = await HaltedRun.of(row);
        const { halt } = halted.manifest();
        expect(halt === null ? null : knownHalt(halt).kind).toBe(kind);
        const commands = halt?.next_commands ?? [];
        const isLook = (command: string): boolean => LOOKS.includes(wordsOf(command));
        const ways = commands.map(wordsOf).filter((words) => !LOOKS.includes(words));
        expect(ways).toEqual(row.ways.map((way) => (typeof way === "string" ? way : expect.stringMatching(way))));
        for (const command of commands)
          expect([wordsOf(command), await halted.follow(command)]).toEqual([
            wordsOf(command),
            isLook(command) ? "looked" : "completed",
          ]);
      });
  });

test("control: at a gate that no limit lifts, a plain resume and a plain fork come back to the same halt", async () => {
  await using halted = await HaltedRun.of(GATE_E_CONTRADICTED);
  for (const verb of ["resume", "fork"])
    expect(await halted.follow(`deep-research ${verb} ${halted.place.runRoot}`)).toBe("back at the same halt");
});

test("the sources raise those kinds of halt that have chains here, and no other", () => {
  const sources = join(import.meta.dir, "../../src");
  // The format of halts and the words for them name every kind.
  const raising = [...new Bun.Glob("**/*.ts").scanSync(sources)].filter((path) => !/^(?:run|cli|surface)\//.test(path));
  const code = raising.map((path) => fs.readFileSync(join(sources, path), "utf8")).join("\n");
  const raised = haltKindSchema.options.filter((kind) => code.includes(`"${kind}"`));
  expect(raised).toEqual(haltKindSchema.options.filter((kind) => HALTS[kind].length > 0));
});
