// The server and its workers hit by SIGKILL: streams that miss nothing, runs that are found interrupted, and equal reports.
import { describe, expect, test } from "bun:test";
import { Host } from "../crash/real-processes.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { until } from "./called-console.ts";
import { Served, type Told } from "./served.ts";

const TIMEOUT_MS = 600_000;
const isOver = ({ event, data }: Told): boolean =>
  event === "state.changed" && (data.data?.["to"] as unknown) === "completed";

/** Every event of a run as the journal has it. */
async function allEvents(served: Served, run: string): Promise<string[]> {
  const told: string[] = [];
  for await (const { id, event } of served.events(run)) {
    told.push(`${id} ${event}`);
    if (event === "report.published") break;
  }
  return told;
}

test(
  "a client that comes back misses nothing and gets nothing twice, also when the server was killed in between",
  async () => {
    using host = new Host();
    let served = await Served.open(host, "--port", "0");
    await served.start(host, "one");
    const told: string[] = [];
    let last = "0";
    // Each time it takes a few events; every third time the server dies.
    for (let round = 0; ; round++) {
      let taken = 0;
      const leave = new AbortController();
      for await (const { id, event } of served.events("one", last, leave.signal)) {
        told.push(`${id} ${event}`);
        last = id;
        if (event === "report.published" || ++taken === 7) break;
      }
      leave.abort();
      if (told.at(-1)?.endsWith("report.published") === true) break;
      if (round % 3 !== 2) continue;
      await served.kill();
      served = await Served.open(host, "--port", "0");
    }
    await using last_ = served;
    expect(told.length).toBeGreaterThan(40);
    expect(told).toEqual(await allEvents(last_, "one"));
    expect(new Set(told).size).toBe(told.length);
  },
  TIMEOUT_MS,
);

describe("killed in the middle of a run, server and worker together", () => {
  test(
    "the next server shows it as interrupted, continues, and comes to the report of a run that was never killed",
    async () => {
      using host = new Host();
      await using first = await Served.open(host, "--port", "0");
      await first.start(host, "whole");
      const [whole] = (await completed(first, "whole"))["report_versions"] as unknown as { digest: string }[];
      const run = await killedRun(host, first);
      await using next = await Served.open(host, "--port", "0");
      const { body } = await next.ask("GET", `/api/runs/${run}`);
      expect(body).toMatchObject({ execution_state: "interrupted", interrupted_run_id: run });
      expect((await next.ask("GET", "/agents/status")).body).toMatchObject({ interruptedPipelineId: run });
      const resumed = await next.ask("POST", "/agents/run", { message: QUESTION, resume: true });
      expect(resumed.body).toMatchObject({ run_id: run, resumed: true });
      const [version] = (await completed(next, run))["report_versions"] as unknown as { digest: string }[];
      expect(version?.digest).toBe(whole?.digest ?? "");
    },
    TIMEOUT_MS,
  );
});

async function completed(served: Served, run: string) {
  const { body } = await until(
    () => served.ask("GET", `/api/runs/${run}`),
    ({ body }) => (body["execution_state"] as unknown) === "completed",
  );
  return body;
}

/** A run whose worker and whose server were killed while it worked: tries until the kill was quicker than the run. */
async function killedRun(host: Host, first: Served): Promise<string> {
  let served = first;
  for (let at = 1; ; at++) {
    const run = `killed-${at}`;
    await served.start(host, run);
    for await (const told of served.events(run)) if (told.event === "step.completed" || isOver(told)) break;
    const { body } = await served.ask("GET", `/api/runs/${run}`);
    const { held_by } = body["lease"] as unknown as { held_by: { pid: number } | null };
    await served.kill();
    if (held_by !== null) {
      process.kill(held_by.pid, "SIGKILL");
      await using look = await Served.open(host, "--port", "0");
      const { body: after } = await look.ask("GET", `/api/runs/${run}`);
      if ((after["execution_state"] as unknown) === "interrupted") return run;
    }
    served = await Served.open(host, "--port", "0");
  }
}

test(
  "two servers over one runs root show the same, and two reports requested at once are made one after the other or refused",
  async () => {
    using host = new Host();
    await using one = await Served.open(host, "--port", "0");
    await using other = await Served.open(host, "--port", "0");
    expect(one.port).not.toBe(other.port);
    await one.start(host, "shared");
    const seen = allEvents(other, "shared");
    await completed(other, "shared");
    expect(await seen).toEqual(await allEvents(one, "shared"));
    const both = await Promise.all([one, other].map((served) => served.ask("POST", "/api/runs/shared/generate")));
    const made = both.filter(({ status }) => status === 200).length;
    const { body } = await one.ask("GET", "/api/runs/shared");
    expect((body["report_versions"] as unknown as object[]).length).toBe(1 + made);
    for (const { status, body: told } of both)
      if (status !== 200) expect(told["error"]).toMatchObject({ code: "LOCK_HELD" });
    expect((await other.ask("POST", "/api/runs/shared/verify")).body).toMatchObject({ ok: true });
  },
  TIMEOUT_MS,
);

test(
  "a signal ends the server with 0, and the run that it began continues",
  async () => {
    using host = new Host();
    const first = await Served.open(host, "--port", "0");
    await first.start(host, "on");
    const events = first.events("on");
    expect((await events.next()).value).toMatchObject({ id: "1", event: "run.created" });
    expect(await first.stop()).toBe(0);
    // A client that follows is no reason to stay, and its stream is over.
    for await (const { id } of events) expect(Number.parseInt(id, 10)).toBeGreaterThan(1);
    await using next = await Served.open(host, "--port", "0");
    expect((await completed(next, "on"))["run_id"]).toBe("on" as never);
  },
  TIMEOUT_MS,
);

test(
  "a server that is killed and started anew on its port lets in who was let in before, until the token is replaced",
  async () => {
    using host = new Host();
    const first = await Served.open(host, "--port", "0");
    const port = String(first.port);
    const { headers } = await fetch(first.ticketUrl, { redirect: "manual" });
    const cookie = (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const path = headers.get("location") ?? "";
    const statusAt = async (served: Served): Promise<number> =>
      (await fetch(served.url + path, { headers: { cookie } })).status;
    expect(await statusAt(first)).toBe(200);
    // Nobody reads what it prints any more, and it still lets in.
    expect((await fetch(first.ticketUrl, { redirect: "manual" })).status).toBe(401);
    await first.kill();
    const second = await Served.open(host, "--port", port);
    expect([second.token, await statusAt(second)]).toEqual([first.token, 200]);
    expect(second.ticketUrl).not.toBe(first.ticketUrl);
    await second.kill();
    await using third = await Served.open(host, "--port", port, "--new-token");
    expect([third.token === first.token, await statusAt(third)]).toEqual([false, 401]);
  },
  TIMEOUT_MS,
);
