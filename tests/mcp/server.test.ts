// The MCP server through its real process: tools, resources, prompts, refusals, and runs that outlive it.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { TOOLS } from "../../src/mcp/tools.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { Host } from "../crash/real-processes.ts";
import { envelopeIn } from "../cli/envelope.ts";
import { wellBehaved } from "../live/well-behaved.ts";
import { ScriptedServer } from "../models/scripted-server.ts";
import { PROGRAM } from "../program.ts";
import { GOOD_AGENT } from "../task/task-run.ts";
import { type Called, Connected } from "./connected.ts";

const TIMEOUT_MS = 600_000;

async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    await Bun.sleep(100);
  }
}

test(
  "a run is started, followed to its end and read, and looked at as resources",
  async () => {
    await using here = await Connected.open();
    const { client } = here;
    const started = await here.call("run_start", { question: QUESTION, corpus: [here.host.corpus] });
    expect(started.envelope).toMatchObject({ ok: true, command: "start" });
    const run = started.envelope.contract.run_id ?? "";
    // On a busy machine it may have ended before its start was told: then that is the whole answer.
    if (started.envelope.contract.execution_state !== "completed")
      expect(started.result).toMatchObject({
        question: QUESTION,
        work: "going_on",
        next_tool: { name: "run_status", arguments: { run } },
      });

    const completed = await until(
      () => here.call("run_status", { run, wait: 30 }),
      // Its process lets go of it a moment after the end.
      ({ envelope, result }) =>
        envelope.contract.execution_state !== "running" && (result["lease"] as { held_by: unknown }).held_by === null,
    );
    expect(completed.envelope).toMatchObject({ command: "status", contract: { execution_state: "completed" } });

    // The same as the command line has it, with calls of tools where these do the same.
    const printed = here.host.cli("status", run, "--json");
    await printed.ended;
    const { result, ...rest } = printed.events[0] as unknown as Called["envelope"];
    const { next_commands } = completed.result;
    expect(completed.envelope).toEqual({ ...rest, result: { ...(result as object), next_commands } } as never);
    expect(next_commands).toContain(`report_show {"run":"${run}"}`);
    expect(completed.words).toContain(`Run ${run}: completed`);

    const report = await here.call("report_show", { run: run.slice(0, -1) });
    const markdown = String(report.result["report_md"]);
    expect(markdown).toContain("standard error stream");
    const again = await here.call("run_tick", { run: here.host.runRoot(run) });
    expect(again.result).toMatchObject({ already: "already_completed" });
    const aborted = await here.call("run_abort", { run, yes: true });
    expect(aborted.envelope.error?.code).toBe("RUN_TERMINAL");

    const { resources } = await client.listResources();
    const uri = `deep-research://runs/${run}`;
    expect(resources).toMatchObject([
      { uri, title: QUESTION, description: "completed", mimeType: "application/json" },
      { uri: `${uri}/report`, mimeType: "text/markdown" },
    ]);
    const [status] = (await client.readResource({ uri })).contents;
    const read = JSON.parse(status !== undefined && "text" in status ? status.text : "") as typeof completed.envelope;
    expect(read).toEqual({ ...rest, result: { ...(result as object), next_commands } } as never);
    const { contents } = await client.readResource({ uri: `${uri}/report` });
    expect(contents).toEqual([{ uri: `${uri}/report`, mimeType: "text/markdown", text: markdown }]);
    for (const wrong of ["deep-research://runs/dr_none", "deep-research://runs/../runs", "file:///etc/passwd"])
      expect(await client.readResource({ uri: wrong }).catch(String)).toContain("Error");
  },
  TIMEOUT_MS,
);

for (const protocol of ["legacy", { pin: "2026-07-28" }] as const)
  test(
    `whoever waits for a start is told of its progress, and gets what start answers: ${JSON.stringify(protocol)}`,
    async () => {
      await using here = await Connected.open(protocol);
      const given = { question: QUESTION, corpus: [here.host.corpus], wait: 50 };
      const { envelope, result, progress } = await here.call("run_start", given);
      expect(envelope).toMatchObject({ ok: true, command: "start", contract: { execution_state: "completed" } });
      expect(result).toMatchObject({ stopped_by: "completed" });
      expect(progress).toContain("stage.entered wave1");
      expect(progress).toContain("step.completed perspectives:plan");
    },
    TIMEOUT_MS,
  );

test(
  "an agent without files does the thinking: it is handed prompts, hands in answers, mends one, and the run completes",
  async () => {
    await using here = await Connected.open();
    const given = { question: QUESTION, corpus: [here.host.corpus], driver: "task", mode: "quick", wait: 50 };
    let { envelope } = await here.call("run_start", given);
    const run = envelope.contract.run_id ?? "";
    let refused = 0;
    while (envelope.error?.code === "RUN_AGENT_REQUIRED") {
      for (;;) {
        const [waiting] =
          ((await here.call("run_tick", { run })).envelope.error?.details["waiting"] as { key: string }[]) ?? [];
        if (waiting === undefined) break;
        const asked = await here.call("run_inspect", { run, step: waiting.key });
        const { text } = asked.result["waits_for"] as { text: string };
        const answer = { run, step: waiting.key, agent_run_id: "agent-1" };
        if (refused === 0) {
          const { envelope: bad } = await here.call("agent_result", { ...answer, answer: "{}" });
          expect(bad.error?.code).toBe("AGENT_RESULT_INVALID");
          // A model that is cut off may end inside a character.
          const { envelope: cut } = await here.call("agent_result", { ...answer, answer: "{\ud83d" });
          expect([cut.error?.code, cut.command, cut.contract.run_id]).toEqual([
            "AGENT_RESULT_INVALID",
            "agent-result",
            run,
          ]);
          refused++;
        }
        const taken = await here.call("agent_result", { ...answer, answer: GOOD_AGENT(text) });
        expect([waiting.key, taken.envelope.error]).toEqual([waiting.key, null]);
      }
      ({ envelope } = await here.call("run_resume", { run, wait: 50 }));
    }
    expect(envelope.contract.execution_state).toBe("completed");
    const verified = here.host.cli("verify", run, "--json");
    expect(await verified.ended).toBe(0);
  },
  TIMEOUT_MS,
);

describe("what is offered", () => {
  test(
    "each tool has the options of its command as arguments, and says what it does to a run",
    async () => {
      await using here = await Connected.open();
      const { tools } = await here.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        "run_start run_tick run_ask run_fork run_list run_status run_inspect run_triage run_resume run_pause run_abort agent_result report_show report_export run_verify search".split(
          " ",
        ),
      );
      const names = (name: string) =>
        Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
      expect(names("run_start")).toEqual(
        expect.arrayContaining(["question", "corpus", "max_rounds", "run_id", "wait"]),
      );
      for (const hidden of ["jsonl", "config", "trust_workspace", "runs_root"])
        expect(names("run_start")).not.toContain(hidden);
      expect(names("run_tick")).toEqual(["run", "run_id", "max_steps", "reason", "wait"]);
      expect(names("report_show")).toEqual(["run", "run_id", "version"]);
      expect(names("report_export")).toEqual(["run", "run_id", "output", "version", "allow_damaged", "timeline"]);
      const { properties } = tools.find(({ name }) => name === "run_start")?.inputSchema ?? {};
      const pause = tools.find(({ name }) => name === "run_pause")?.inputSchema.properties ?? {};
      expect(pause["wait"]).toMatchObject({ description: expect.stringContaining("(default: 20)") as string });
      expect(properties).toMatchObject({
        mode: { enum: ["quick", "standard", "deep"] },
        max_rounds: { type: "integer", minimum: 1 },
        max_unsupported_share: { type: "number", minimum: 0, maximum: 1 },
        max_cost_usd: { type: "number", exclusiveMinimum: 0 },
        corpus: { type: "array", items: { type: "string" } },
      });
      for (const { name, inputSchema, outputSchema, annotations } of tools) {
        const looks = "run_list run_status run_inspect run_triage report_show run_verify search"
          .split(" ")
          .includes(name);
        expect([name, annotations?.readOnlyHint]).toEqual([name, looks]);
        expect([name, annotations?.destructiveHint ?? false]).toEqual([name, name === "run_abort"]);
        expect([name, inputSchema["additionalProperties"], outputSchema?.type]).toEqual([name, false, "object"]);
      }
      expect(TOOLS).toHaveLength(tools.length);
    },
    TIMEOUT_MS,
  );

  test(
    "prompts say what to call, and refuse what is missing",
    async () => {
      await using here = await Connected.open();
      const { prompts } = await here.client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(["research", "drive"]);
      const given = { question: "What is a lease?", corpus: "docs, notes" };
      const { messages } = await here.client.getPrompt({ name: "research", arguments: given });
      expect(JSON.stringify(messages)).toContain("What is a lease?");
      expect(JSON.stringify(messages)).toContain("run_start");
      const drive = await here.client.getPrompt({ name: "drive", arguments: { run: "dr_1" } });
      expect(JSON.stringify(drive.messages)).toContain("agent_result");
      expect(await here.client.getPrompt({ name: "research", arguments: {} }).catch(String)).toContain("question");
      expect(await here.client.getPrompt({ name: "none" }).catch(String)).toContain("no prompt");
    },
    TIMEOUT_MS,
  );
});

test(
  "what cannot be done is refused with the codes of the command line, and the server continues",
  async () => {
    await using here = await Connected.open();
    const refusals: [string, Record<string, unknown>, string][] = [
      ["run_status", { run: "dr_none" }, "NOT_FOUND"],
      ["report_show", { run: "../../etc" }, "INVALID_ARGS"],
      ["run_pause", { run: "/etc/passwd" }, "INVALID_ARGS"],
      ["run_pause", { run: here.host.runRoot("dr_none") }, "NOT_FOUND"],
      ["run_tick", { run: "--all" }, "INVALID_ARGS"],
      ["run_tick", { run: "" }, "INVALID_ARGS"],
      ["run_tick", { run: "a\0b" }, "INVALID_ARGS"],
      ["run_tick", { run: "\ud800" }, "INVALID_ARGS"],
      ["run_tick", {}, "INVALID_ARGS"],
      ["run_tick", { run: "x", run_id: "y" }, "INVALID_ARGS"],
      ["run_tick", { run_id: "dr_none" }, "NOT_FOUND"],
      ["run_status", { run_id: "x", run: "x" }, "NOT_FOUND"],
      ["report_export", { run: "x" }, "INVALID_ARGS"],
      ["run_pause", { run: "x", reason: "a\0b" }, "INVALID_ARGS"],
      ["search", { query: "x", corpus: Array.from({ length: 201 }, () => "docs") }, "INVALID_ARGS"],
      ["report_export", { run: "x", output: "/etc/report.md" }, "INVALID_ARGS"],
      ["run_verify", { run: "x", retry: true }, "INVALID_ARGS"],
      ["run_tick", { run: 5 }, "INVALID_ARGS"],
      ["run_tick", { run: "x", max_steps: "1" }, "INVALID_ARGS"],
      ["run_tick", { run: "x", max_steps: 0 }, "INVALID_ARGS"],
      ["run_tick", { run: "x", all: true }, "INVALID_ARGS"],
      ["run_abort", { run: "x" }, "INVALID_ARGS"],
      ["agent_result", { run: "dr_none", step: "a:b", agent_run_id: "me", answer: "" }, "NOT_FOUND"],
      ["agent_result", { run: "dr_none", step: "a:b", answer: "" }, "INVALID_ARGS"],
      ["agent_result", { run: "x", step: "a", agent_run_id: "me", answer: "x".repeat(10_485_761) }, "INPUT_TOO_LARGE"],
      ["agent_result", { run: "x", step: "a", agent_run_id: "me", answer: "", input: "/etc/passwd" }, "INVALID_ARGS"],
      ["run_status", { run: "x", wait: 1e9 }, "INVALID_ARGS"],
      ["run_start", { question: QUESTION, corpus: ["/nowhere"] }, "INVALID_ARGS"],
      ["run_start", { question: QUESTION, corpus: here.host.corpus }, "INVALID_ARGS"],
      ["run_start", { question: QUESTION, model_base_url: "http://127.0.0.1:1" }, "INVALID_ARGS"],
      ["run_start", { question: QUESTION, corpus: [here.host.corpus], run_id: "../x" }, "PATH_TRAVERSAL"],
      ["run_start", { question: "x".repeat(10_000_000) }, "INPUT_TOO_LARGE"],
      ["run_start", { question: "x ".repeat(20_000), corpus: [here.host.corpus] }, "INPUT_TOO_LARGE"],
    ];
    for (const [name, given, code] of refusals) {
      const { envelope, isError } = await here.call(name, given);
      expect([name, isError, envelope.error?.code]).toEqual([name, true, code]);
      // What a strict reader would refuse is not given back.
      expect(JSON.stringify(envelope)).not.toMatch(/\\u0000|\\ud800/);
    }
    for (const [name, given] of [
      ["report_export", { run: "x" }],
      ["run_list", { state: ["halted"] }],
    ] as const) {
      const said = (await here.call(name, given)).envelope.error?.message;
      expect([name, said?.includes("--"), said?.startsWith(name)]).toEqual([name, false, true]);
    }
    const hostile = JSON.parse('{"run":"x","__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>;
    expect((await here.call("run_tick", hostile)).isError).toBe(true);
    expect(await here.client.callTool({ name: "rm" }).catch(String)).toContain("no tool rm");
    expect((await here.call("run_triage", { all: true })).envelope.ok).toBe(true);
  },
  TIMEOUT_MS,
);

test(
  "runs are listed, verified, exported to a new file and forked, by run or run_id",
  async () => {
    await using here = await Connected.open();
    const given = { question: QUESTION, corpus: [here.host.corpus], run_id: "one", wait: 50 };
    expect((await here.call("run_start", given)).envelope.contract.execution_state).toBe("completed");
    const listed = await here.call("run_list", {});
    expect(listed.result).toMatchObject({ matched: 1, runs: [{ run_id: "one" }] });
    expect(listed.words).toContain(`- one (completed) ${QUESTION}`);
    expect((await here.call("run_verify", { run_id: "one" })).words).toContain("verifies");
    const output = join(here.host.folder, "report.html");
    const written = await here.call("report_export", { run_id: "one", output: "report.html" });
    expect(written.result).toMatchObject({ output, format: "html" });
    const again = await here.call("report_export", { run_id: "one", output });
    expect(again.envelope.error?.code).toBe("ALREADY_EXISTS");
    const forked = await here.call("run_fork", { run_id: "one", max_rounds: 2 });
    const run = String(forked.result["run_id"]);
    expect(forked.words).toContain(`Run ${run}: idle`);
    const { envelope } = await here.call("run_resume", { run, wait: 50 });
    expect(envelope).toMatchObject({ ok: true, contract: { run_id: run, execution_state: "completed" } });
  },
  TIMEOUT_MS,
);

test(
  "a call with a wrong argument is told which the tool takes, and a next step is a call where there is a tool",
  async () => {
    await using here = await Connected.open();
    const wrong = await here.call("run_status", { runid: "x" });
    expect(wrong.envelope.error?.hint).toBe("run_status takes run, run_id, wait");
    const refused = await here.call("run_start", { question: QUESTION, model: "openai:gpt-5" });
    expect(refused.envelope.error).toMatchObject({ code: "INVALID_ARGS", details: { argument: "model", trust: true } });
    expect(refused.words).toContain("--trust-agent");
    const none = await here.call("run_pause", { run: "dr_none" });
    expect(none.envelope.error?.hint).toEndWith("list the runs: run_list {}");
  },
  TIMEOUT_MS,
);

test(
  "a client that is killed in the middle loses nothing: the run continues to its end",
  async () => {
    // The model answers only once the client is dead, so that the run cannot have ended before.
    const killed = Promise.withResolvers<void>();
    await using server = new ScriptedServer(async (request) => {
      await killed.promise;
      return wellBehaved(request);
    });
    await server.listen();
    await using here = await Connected.open();
    const folder = join(here.host.folder, "config/deep-research");
    fs.mkdirSync(folder, { recursive: true });
    const settings = { model: "compatible:scripted", model_base_url: server.baseUrl, mode: "quick" };
    fs.writeFileSync(join(folder, "config.json"), JSON.stringify(settings));
    const run = await here.start();
    const look = async () => {
      const looking = here.host.cli("status", run, "--json");
      await looking.ended;
      return looking.events[0] as unknown as { contract: { execution_state: string } };
    };
    await until(
      async () => server.requests.length,
      (asked) => asked > 0,
    );
    expect((await look()).contract.execution_state).toBe("running");
    process.kill(here.pid, "SIGKILL");
    killed.resolve();
    const { contract } = await until(look, (status) => status.contract.execution_state !== "running");
    expect(contract.execution_state).toBe("completed");
    const verified = here.host.cli("verify", run, "--json");
    expect(await verified.ended).toBe(0);
  },
  TIMEOUT_MS,
);

describe("the process", () => {
  const serve = (host: Host) =>
    Bun.spawn([...PROGRAM, "mcp", "--runs-root", host.runsRoot], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
  const INITIALIZE = `${JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  })}\n`;

  test(
    "ends with 0 when stdin ends, and prints the protocol alone",
    async () => {
      using host = new Host();
      const child = serve(host);
      void child.stdin.write(`no protocol\n{"jsonrpc":"2.0","neither":"request"}\n[1,2]\n${INITIALIZE}`);
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`);
      const reader = child.stdout.getReader();
      let printed = "";
      while (!printed.includes('"id":2')) printed += new TextDecoder().decode((await reader.read()).value);
      await child.stdin.end();
      expect(await child.exited).toBe(0);
      const messages = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { jsonrpc: string });
      expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(["2.0", "2.0"]);
      const notes = (await new Response(child.stderr).text()).trim().split("\n");
      expect(notes.filter((note) => note.length > 320)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "ends with 0 on SIGTERM",
    async () => {
      using host = new Host();
      const child = serve(host);
      void child.stdin.write(INITIALIZE);
      await child.stdout.getReader().read();
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    },
    TIMEOUT_MS,
  );

  test("refuses --json: over stdout it speaks its protocol", () => {
    const { exitCode, stdout } = Bun.spawnSync([...PROGRAM, "mcp", "--json"]);
    expect([exitCode, envelopeIn(stdout.toString()).error?.code]).toEqual([2, "INVALID_ARGS"]);
  });
});
