// Tests that prompts tell earlier results and limits, and that a halt for a limit says what a person can do.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { readPrompt } from "./outside-agent.ts";
import { asks, GOOD_AGENT, refusal, TaskRun, type Agent } from "./task-run.ts";

describe("the next prompt has", () => {
  test("what a gap misses, where it was searched for, and what researchers could not find", async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    const seen: Record<string, string[]> = {};
    const missing = "what an unknown option does";
    const curious: Agent = (prompt) => {
      const { who, task: shown } = readPrompt(prompt);
      (seen[who] ??= []).push(shown);
      if (who !== "pivot" || shown.includes(missing)) return GOOD_AGENT(prompt);
      return JSON.stringify({ gaps: [{ part_id: "parsing", missing, queries: ["unknown option error"] }] });
    };
    await task.goOn(curious, asks("review"));
    const { research = [], pivot = [], outline = [], section = [] } = seen;
    const again = research.at(-1) ?? "";
    expect(again).toContain(missing);
    expect(again).toContain("unknown option error");
    expect(again).toContain("An earlier search found too little");
    // What the good agent notes as not found.
    expect(pivot[0]).toContain("what it costs");
    expect([...outline, ...section].join("\n")).toContain("no document names a price");
  });

  test("what a review asks for, to the writer and to the next review", async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    const detail = "Say in one sentence what happens to an unknown option.";
    const seen: string[] = [];
    let reviews = 0;
    const critical: Agent = (prompt) => {
      const { who, task: shown } = readPrompt(prompt);
      if (reviews > 0) seen.push(`${who}: ${shown}`);
      if (who !== "review" || ++reviews > 1) return GOOD_AGENT(prompt);
      return JSON.stringify({ decision: "revise", directives: [{ kind: "other", target: "s1", detail }] });
    };
    await task.goOn(critical);
    const told = seen.filter((prompt) => prompt.includes(detail)).map((prompt) => prompt.split(":")[0]);
    expect(told).toEqual(["changes", "review"]);
  });

  test("why it is asked again, where a run that found nothing is resumed, and where the earlier answer stands", async () => {
    using task = new TaskRun();
    await task.start();
    const nothing = JSON.stringify({ quotes: [], notes: ["Only the words for colours were looked for."] });
    const blind: Agent = (prompt) => (readPrompt(prompt).who === "research" ? nothing : GOOD_AGENT(prompt));
    await task.goOn((prompt) => {
      // Control: the first time there is nothing to tell.
      expect(prompt).not.toContain("## Asked again");
      return blind(prompt);
    });
    await resumeRun(task.ports, task.runRoot, {}, {});
    const [{ prompt } = { prompt: "" }] = await task.waiting();
    const [, section = ""] = prompt.split("\n## Asked again\n");
    expect(section).toContain("halt: nothing was found for the question.");
    const [, earlier = ""] = /^The earlier answer: (.+)$/m.exec(section) ?? [];
    expect(readFileSync(earlier, "utf8")).toBe(nothing);
    await task.goOn();
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });
});

describe("a limit", () => {
  test("stands in the prompt, and an answer beyond it is refused and told of it", async () => {
    const limits = { max_perspectives: 2, max_quotes_per_subject: 1, max_gaps: 1 };
    using task = new TaskRun({ mode: "standard", limits });
    await task.start();
    const modest: Agent = (prompt) => {
      const answer = JSON.parse(GOOD_AGENT(prompt)) as { quotes?: object[] };
      return JSON.stringify({
        ...answer,
        ...(answer.quotes === undefined ? {} : { quotes: answer.quotes.slice(0, 1) }),
      });
    };
    const beyond = async (agent: Agent): Promise<[told: string, refused: string]> => {
      const [{ key, prompt } = { key: "", prompt: "" }] = await task.waiting();
      const { code, facts } = await refusal(task.handIn(key, agent(prompt)));
      expect(code).toBe("AGENT_RESULT_INVALID");
      return [prompt, String(facts["problems"])];
    };
    const [plans, tooWide] = await beyond((prompt) => {
      const plan = JSON.parse(GOOD_AGENT(prompt)) as { perspectives: object[] };
      const more = { ...plan.perspectives[0], id: "more", title: "More" };
      return JSON.stringify({ ...plan, perspectives: [...plan.perspectives, more] });
    });
    expect([plans, tooWide]).toEqual([
      expect.stringContaining("2 perspectives"),
      expect.stringContaining("perspectives"),
    ]);
    await task.goOn(modest, asks("research"));
    const [researches, tooMany] = await beyond(GOOD_AGENT);
    expect([researches, tooMany]).toEqual([
      expect.stringContaining("there are at most 1 quotes"),
      expect.stringContaining("quotes"),
    ]);
    await task.goOn(modest, asks("pivot"));
    const gap = (at: number) => ({ part_id: "parsing", missing: `thing ${at}`, queries: [`thing ${at}`] });
    const [looks, tooDeep] = await beyond(() => JSON.stringify({ gaps: [gap(1), gap(2)] }));
    expect([looks, tooDeep]).toEqual([
      expect.stringContaining("there are at most 1 gaps"),
      expect.stringContaining("there are 2 gaps, at most 1"),
    ]);
  });

  test("on what is not supported halts the run, says what a person can do, and that works", async () => {
    using task = new TaskRun();
    await task.start();
    const doubtful: Agent = (prompt) =>
      readPrompt(prompt).who === "verify"
        ? GOOD_AGENT(prompt).replaceAll('"supported"', '"unclear"')
        : GOOD_AGENT(prompt);
    await task.goOn(doubtful);
    const { halt } = await task.manifest();
    expect(halt).toMatchObject({ kind: "gate_blocked", stage: "review" });
    const [allow = "", anew = ""] = halt?.next_commands ?? [];
    expect(JSON.stringify(halt?.details)).toContain("together at most 20 % may be");
    const [, share] = / resume .* --max-unsupported-share ([\d.]+)$/.exec(allow) ?? [];
    expect(anew).toContain(` fork ${task.runRoot} --mode deep`);
    await resumeRun(task.ports, task.runRoot, { limits: { max_unsupported_share: Number(share) } }, {});
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });
});
