// Tests of the task driver: agents outside are prompted, their answers are judged at once, and the report verifies.
import { describe, expect, test } from "bun:test";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { readReport } from "../../src/operations/report/read-report.ts";
import { HALTS } from "../../src/run/log/halt-kinds.ts";
import type { Report } from "../../src/run/report/report.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { answerWell, readPrompt } from "./outside-agent.ts";
import { asks, GOOD_AGENT, refusal, TaskRun, type Agent } from "./task-run.ts";

const answerOf = (agent: Agent, { prompt }: { prompt: string }): string => agent(prompt);

async function reportOf({ ports, runRoot }: TaskRun): Promise<Report> {
  return await readReport(ports, await ports.store.look(runRoot));
}

describe("a task run", () => {
  test("halts with one command for each missing step, all prompts of the stage at once", async () => {
    using task = new TaskRun();
    const { error, run } = await task.start();
    expect(error?.code).toBe(HALTS.agent_required.code);
    expect(run?.manifest.halt).toMatchObject({ kind: "agent_required", stage: "perspectives" });
    await task.goOn(GOOD_AGENT, asks("research"));
    const waiting = await task.waiting();
    expect(waiting.map(({ key }) => key)).toEqual(["wave1:doubts", "wave1:overview"]);
    const { halt } = await task.manifest();
    const commands = halt?.next_commands ?? [];
    for (const { key } of waiting)
      expect(
        commands.filter((command) => command.includes(` agent-result ${task.runRoot} --step ${key} `)),
      ).toHaveLength(1);
    expect(commands.findIndex((command) => command.includes(" tick "))).toBe(waiting.length);
  });

  test("a tick while all wait writes nothing", async () => {
    using task = new TaskRun();
    await task.start();
    const { revision } = await task.manifest();
    expect((await task.run()).error?.code).toBe("RUN_AGENT_REQUIRED");
    expect((await task.manifest()).revision).toBe(revision);
  });

  test("comes to a report that verifies, with two runs of one agent word for word the same", async () => {
    const reports = [];
    for (const mode of ["quick", "quick", "standard"] as const) {
      using task = new TaskRun({ mode });
      await task.start();
      await task.goOn();
      const look = await task.ports.store.look(task.runRoot);
      expect(look.state).toBe("completed");
      expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
      reports.push(await reportOf(task));
    }
    const [first, second, standard] = reports.map((report) => JSON.stringify(report));
    expect(second).toBe(first);
    expect(standard).not.toBe(first);
    expect(first).toContain('"method":"agent"');
  });

  test("a fork takes over what agents have done", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("research"));
    const { result } = await forkRun(task.ports, task.runRoot, { runId: "dr_fork", runsRoot: task.runsRoot }, {});
    using fork = new TaskRun();
    const forked = Object.assign(Object.create(fork) as TaskRun, { runRoot: result.run_root, ports: task.ports });
    await forked.run();
    const { steps, stage } = await forked.manifest();
    expect(stage.current).toBe("wave1");
    expect(Object.values(steps).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  });

  test("makes a partial report without asking anybody", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("draft"));
    const { result, error } = await generateReport(task.ports, task.runRoot, {});
    expect(error).toBeNull();
    expect(result.partial).toBe(true);
  });
});

describe("an answer", () => {
  test("that is not fit is refused with every fault, changes no step and no halt, and may be fixed", async () => {
    using task = new TaskRun();
    await task.start();
    const before = await task.manifest();
    const plan = JSON.parse(GOOD_AGENT((await task.waiting())[0]?.prompt ?? "")) as { perspectives: object[] };
    const wrong = { ...plan, perspectives: plan.perspectives.map((one) => ({ ...one, part_ids: ["none"] })) };
    const { code, facts } = await refusal(task.handIn("perspectives:plan", JSON.stringify(wrong)));
    expect(code).toBe("AGENT_RESULT_INVALID");
    expect(facts["problems"]).toEqual(
      expect.arrayContaining([
        expect.stringContaining("names the unknown part none"),
        expect.stringContaining("parsing"),
      ]),
    );
    const { steps, halt, stage } = await task.manifest();
    expect({ steps, halt, stage }).toEqual({ steps: before.steps, halt: before.halt, stage: before.stage });
    const { result } = await task.handIn("perspectives:plan", JSON.stringify(plan));
    expect(result).toMatchObject({ state: "completed", waiting: [], already: false });
    expect((await task.manifest()).halt).toBeNull();
  });

  test("with a quote that stands nowhere, or of a document outside, is refused", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("research"));
    const [first] = DOCUMENTS;
    const quoted = (document: string, text: string): string =>
      JSON.stringify({ quotes: [{ document, text, statement: text, part_ids: ["parsing"] }] });
    const problemsOf = async (answer: string): Promise<string> =>
      String((await refusal(task.handIn("wave1:overview", answer))).facts["problems"]);
    expect(await problemsOf(quoted(`corpus/${first?.[0]}`, "Nobody ever wrote these words there."))).toContain(
      "is not in the document",
    );
    for (const name of ["../../../etc/passwd", "/etc/passwd", "corpus/../../runs/dr_task/journal.jsonl", "__proto__"])
      expect(await problemsOf(quoted(name, "root:x:0:0:root:/root:/bin/bash"))).toContain("cannot be read");
  });

  test("may bring a document along, which it quotes by its name", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("research"));
    const text = "Options may also be read from a file of their own, one on each line.";
    const answer = JSON.stringify({
      quotes: [{ document: "notes.md", text, statement: text, part_ids: ["parsing"] }],
    });
    expect((await refusal(task.handIn("wave1:overview", answer))).code).toBe("AGENT_RESULT_INVALID");
    const sources = [{ name: "notes.md", bytes: new TextEncoder().encode(`# Notes\n\n${text}\n`) }];
    const { result } = await task.handIn("wave1:overview", answer, { sources });
    expect(result.state).toBe("waiting");
    await task.goOn();
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
    expect((await reportOf(task)).sources.map(({ origin }) => origin)).toContain("notes.md");
  });

  test("in a fence, and with other quotation marks and spaces in its quotes, is taken", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("research"));
    const waiting = await task.waiting();
    const answer = answerOf(GOOD_AGENT, waiting[0] ?? { prompt: "" }).replaceAll(/(\w) (\w)/g, "$1  $2");
    const { result } = await task.handIn("wave1:doubts", `\`\`\`json\n${answer}\n\`\`\`\n`);
    expect(result.next_prompt).toBe("operator/prompts/wave1/wave1:doubts.2.md");
  });

  test("twice is taken once; another one for a finished step needs --replace, and the old one stays", async () => {
    using task = new TaskRun();
    await task.start();
    const plan = GOOD_AGENT((await task.waiting())[0]?.prompt ?? "");
    await task.handIn("perspectives:plan", plan);
    const { revision } = await task.manifest();
    expect((await task.handIn("perspectives:plan", plan)).result.already).toBe(true);
    expect((await task.manifest()).revision).toBe(revision);
    const other = plan.replace("How it works", "How it really works");
    expect((await refusal(task.handIn("perspectives:plan", other))).code).toBe("INVALID_STATE");
    const bad = await refusal(task.handIn("perspectives:plan", "{}", { replace: true }));
    expect(bad.code).toBe("AGENT_RESULT_INVALID");
    expect((await task.manifest()).steps["perspectives:plan"]?.state).toBe("completed");
    const { result } = await task.handIn("perspectives:plan", other, { replace: true });
    expect(result.state).toBe("completed");
    const records = await task.ports.store.records(task.runRoot);
    const answers = records.flatMap((record) => (record.kind === "step.answered" ? [record.data.answer] : []));
    expect(answers).toHaveLength(2);
    expect(new TextDecoder().decode(await task.ports.store.readContent(task.runRoot, answers[0] as never))).toBe(plan);
    await task.goOn();
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });

  test("that is the same for the next prompt of its step is taken where it names that prompt, and once", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("draft"));
    const [{ prompt } = { prompt: "" }] = await task.waiting();
    const step = "synthesis:draft-1";
    await task.handIn(step, GOOD_AGENT(prompt));
    const judged = (await task.manifest()).steps[step]?.waits_for?.name ?? "";
    const [first] = await task.waiting();
    const objecting = GOOD_AGENT(first?.prompt ?? "").replace('"supported"', '"unclear"');
    const { result } = await task.handIn(step, objecting, { prompt: judged });
    const [changes] = result.waiting;
    expect([changes?.name, result.already]).toEqual(["draft:objections", false]);
    const again = await task.handIn(step, objecting, { prompt: judged });
    expect([again.result.already, again.result.waiting]).toEqual([true, result.waiting]);
    expect((await refusal(task.handIn(step, "{}", { prompt: judged }))).code).toBe("INVALID_STATE");
    // The same words, for the prompt that waits now: they do not fit it.
    expect((await refusal(task.handIn(step, objecting, { prompt: "draft:objections" }))).code).toBe(
      "AGENT_RESULT_INVALID",
    );
  });

  test("for no step that waits, for a run that has ended, of 10 MB, or of no text is refused", async () => {
    using task = new TaskRun();
    await task.start();
    const codeOf = async (step: string, answer: string | Uint8Array): Promise<string> =>
      (await refusal(task.handIn(step, answer))).code;
    expect(await codeOf("wave1:overview", "{}")).toBe("NOT_FOUND");
    for (const key of ["../../../etc/passwd", "__proto__", "constructor", "perspectives:plan/../x"])
      expect(await codeOf(key, "{}")).toBe("NOT_FOUND");
    expect(await codeOf("perspectives:plan", new Uint8Array(10 * 1024 * 1024))).toBe("INPUT_TOO_LARGE");
    expect(await codeOf("perspectives:plan", new Uint8Array([0xff, 0xfe, 0x00]))).toBe("AGENT_RESULT_INVALID");
    expect(await codeOf("perspectives:plan", '{"__proto__": {"parts": 1}}')).toBe("AGENT_RESULT_INVALID");
    await abortRun(task.ports, task.runRoot, { waitSeconds: 5 });
    expect(await codeOf("perspectives:plan", "{}")).toBe("RUN_TERMINAL");
  });
});

describe("a page from outside", () => {
  test("is refused in words for each of its sentences, and no prompt names a tool", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, asks("draft"));
    const page = "## Answer\n\nOf 77 options none is read. [c1]\n";
    const { facts } = await refusal(task.handIn("synthesis:draft-1", page));
    expect(facts["problems"]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^s1 “Of 77 options none is read\.”: asserts 77/)]),
    );
    const strict: Agent = (prompt) => {
      expect(prompt).not.toMatch(/call(ing)? "|other models/);
      expect(prompt).toContain(`agent-result ${task.runRoot} --step `);
      return GOOD_AGENT(prompt);
    };
    await task.goOn(strict);
  });

  test("is judged by whoever verifies, and what does not hold is asked for once more", async () => {
    using task = new TaskRun();
    await task.start();
    let objected = 0;
    const strict: Agent = (prompt) => {
      const { who, task: shown } = readPrompt(prompt);
      if (who === "changes") {
        const { remarks } = JSON.parse(shown) as { remarks: { statement_id: string; reason: string }[] };
        objected += remarks.length;
        expect(remarks.map(({ reason }) => reason)).toEqual([expect.stringContaining("goes too far in “As”")]);
        return JSON.stringify({ changes: remarks.map(({ statement_id }) => ({ statement_id, text: "" })) });
      }
      const answer = answerWell(prompt, DOCUMENTS);
      if (who !== "verify" || shown.includes('"parts"')) return answer;
      const { verdicts } = JSON.parse(answer) as { verdicts: { id: string }[] };
      return JSON.stringify({
        verdicts: verdicts.map((one) =>
          one.id === "s1" && objected === 0 ? { ...one, verdict: "partly", excess: "As", why: "so it seems" } : one,
        ),
      });
    };
    await task.goOn(strict);
    expect(objected).toBe(1);
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
  });

  test("is written again where a review asks for it, and nowhere else", async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    let reviews = 0;
    const critical: Agent = (prompt) => {
      if (readPrompt(prompt).who !== "review") return answerWell(prompt, DOCUMENTS);
      const directive = { kind: "other", target: "s1", detail: "Say it in other words." };
      return JSON.stringify(
        ++reviews === 1 ? { decision: "revise", directives: [directive] } : { decision: "accept", directives: [] },
      );
    };
    await task.goOn(critical);
    const look = await task.ports.store.look(task.runRoot);
    expect(look.state).toBe("completed");
    expect(reviews).toBe(2);
    expect(JSON.stringify(await reportOf(task)).match(/Said again/g)).toHaveLength(1);
  });
});
