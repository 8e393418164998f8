// The real OpenCode with what `opencode install` places: it is no part of the project and is skipped where it is not installed.
import { expect, test } from "bun:test";
import { says } from "../models/answers.ts";
import { envelopeIn } from "../cli/envelope.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { installedHost, OpenCodeProject, OWN_SERVER, type Turn } from "./host.ts";
import { call, starts, TaskAgent } from "./task-agent.ts";

const program = installedHost();
const LOOKS = ["inspect", "report", "status", "triage"].map((name) => `deep_research_${name}`);
const TOOLS = [
  ...LOOKS,
  ...["agent_result", "prompt", "resume", "search", "start", "tick"].map((name) => `deep_research_${name}`),
];

test.skipIf(program === null)(
  "an agent researches by its tools alone, and the report verifies; another may only look; MCP is offered, too",
  async () => {
    await using host = new OpenCodeProject(String(program), DOCUMENTS);
    await host.listen();
    host.configure({});
    expect(host.cli("opencode", "install").code).toBe(0);

    const agent = new TaskAgent(starts(QUESTION), DOCUMENTS);
    const researched = await host.session(agent.turn, "--command", "research", QUESTION);
    expect([researched.code, researched.stderr]).toEqual([0, ""]);
    const [first, second] = host.turns as [Turn, Turn];
    // It has its tools, may read, and nothing else: no shell, no edits, no web.
    expect(first.offered).toEqual([...TOOLS, "glob", "grep", "read", "skill"].sort());
    expect(first.asked).toContain(QUESTION);
    expect(first.system).toContain("The run is kept by the tools that begin with deep_research_");
    expect(second.returned.join()).toContain("## The driver loop");
    expect(agent.codes).toContain("AGENT_RESULT_INVALID");
    expect(new Set(agent.codes)).toEqual(new Set(["RUN_AGENT_REQUIRED", "AGENT_RESULT_INVALID"]));
    expect(host.turns.at(-1)?.returned.join()).toContain("reads command line options");
    expect(researched.stdout).toContain("Done, the report stands.");

    const verified = envelopeIn(host.cli("verify", "--json").stdout);
    expect(verified).toMatchObject({ ok: true, contract: { execution_state: "completed" } });
    const { status } = envelopeIn(host.cli("inspect", "--json").stdout).result as { status: Record<string, unknown> };
    expect(status).toMatchObject({ driver: "task", question: QUESTION });

    host.turns.length = 0;
    const run = verified.contract.run_id;
    const look = ({ returned }: Turn) =>
      returned.length === 0 ? call("deep_research_status", { run }) : says("It is completed.");
    expect((await host.session(look, "--command", "research-status", String(run))).code).toBe(0);
    expect(host.turns[0]?.offered).toEqual([...LOOKS, "skill"].sort());
    expect(host.turns[1]?.returned.join()).toContain('"execution_state":"completed"');

    host.turns.length = 0;
    host.configure(OWN_SERVER);
    const overMcp = ({ returned }: Turn) =>
      returned.length === 0 ? call("deep-research_run_status", { run }) : says("It is completed.");
    expect((await host.session(overMcp, "how is it?")).code).toBe(0);
    expect(host.turns[0]?.offered).toEqual(expect.arrayContaining(["bash", "deep-research_run_start", ...TOOLS]));
    expect(host.turns[1]?.returned.join()).toContain('"execution_state":"completed"');
  },
  200_000,
);
