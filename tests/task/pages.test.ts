// Tests of web pages that come along with an answer: they are read under the rules of the web provider.
import { describe, expect, test } from "bun:test";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { submitAnswer, type SubmitResult } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { makePorts } from "../../src/wiring.ts";
import { sourcesOf } from "../operations/run-of-two.ts";
import { Site } from "../providers/web/loopback.ts";
import { asks, GOOD_AGENT, refusal, TaskRun } from "./task-run.ts";

const TEXT = "Options may also be read from a page of the web, one on each line of it.";

function siteOf(answer: () => Response): Site {
  return new Site((_request, url) => (url.pathname === "/robots.txt" ? new Response("", { status: 404 }) : answer()));
}

/** A page with enough text to be told from its navigation. */
const page = (text: string) => (): Response => {
  const paragraphs = Array.from({ length: 6 }, (_, at) => `<p>${at === 2 ? text : `${FILLING} ${at}.`}</p>`).join("");
  return new Response(`<html><title>Notes</title><body><article><h1>Notes</h1>${paragraphs}</article></body></html>`, {
    headers: { "content-type": "text/html" },
  });
};

const FILLING = "Whoever reads options keeps to the order in which they were given, and says so in the manual of part";

async function atResearch(): Promise<TaskRun> {
  const task = new TaskRun();
  await task.start();
  await task.goOn(GOOD_AGENT, asks("research"));
  return task;
}

/** `allowedHosts`: those of the user's own settings; the site stands on this machine, which is no public address. */
async function handIn(
  { runRoot }: TaskRun,
  site: Site,
  allowedHosts: string[],
  url = site.at("127.0.0.1", "/notes"),
  step = "wave1:overview",
): Promise<SubmitResult> {
  const set = { providers: { web: { ports: [site.port] } }, allowedHosts };
  const ports = makePorts({ indexFolder: null, environment: {}, cliInvocation: "deep-research", ...set });
  const answer = JSON.stringify({ quotes: [{ document: url, text: TEXT, statement: TEXT, part_ids: ["parsing"] }] });
  const given = { step, answer: new TextEncoder().encode(answer), by: { agent_run_id: "a" }, replace: false };
  return (await submitAnswer(ports, runRoot, { ...given, sources: [], pages: [url], waitSeconds: 5 }, {})).result;
}

describe("a page that comes along", () => {
  test("is stored with the run, quoted by its address, and verifies", async () => {
    using task = await atResearch();
    using site = siteOf(page(TEXT));
    expect((await handIn(task, site, ["127.0.0.1"])).state).toBe("waiting");
    const source = (await sourcesOf(task.ports, task.runRoot)).find(({ origin }) => origin.startsWith("http"));
    expect(source).toMatchObject({ origin: site.at("127.0.0.1", "/notes"), title: "Notes", provider_id: "operator" });
    await task.goOn();
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });

  test("stays as the run first read it", async () => {
    using task = await atResearch();
    let looks = 0;
    using site = siteOf(() => page(`${TEXT} Look ${++looks}.`)());
    for (const step of ["wave1:overview", "wave1:doubts"])
      expect((await handIn(task, site, ["127.0.0.1"], undefined, step)).state).toBe("waiting");
    expect(looks).toBe(2);
    expect((await sourcesOf(task.ports, task.runRoot)).filter(({ origin }) => origin.startsWith("http"))).toHaveLength(
      1,
    );
  });

  test("is refused with a type where it is not public, is no page, or is not there; nothing changes", async () => {
    using task = await atResearch();
    using site = siteOf(() => new Response("", { status: 404 }));
    const { revision } = await task.manifest();
    const why = async (allowed: string[], url?: string): Promise<unknown[]> => {
      const { code, facts } = await refusal(handIn(task, site, allowed, url));
      return [code, facts["unreached"]];
    };
    expect(await why([])).toEqual(["PROVIDER_FAILED", "blocked_address"]);
    expect(await why([], "http://169.254.169.254/latest/meta-data")).toEqual(["PROVIDER_FAILED", "blocked_port"]);
    expect(await why([], `http://[::1]:${site.port}/`)).toEqual(["PROVIDER_FAILED", "blocked_address"]);
    expect(await why(["127.0.0.1"], `http://user:secret@127.0.0.1:${site.port}/`)).toEqual([
      "PROVIDER_FAILED",
      "bad_url",
    ]);
    expect(await why(["127.0.0.1"])).toEqual(["PROVIDER_FAILED", "http_status"]);
    // Control: the first three asked nobody.
    expect(site.pages).toHaveLength(1);
    expect((await task.manifest()).revision).toBe(revision);
  });

  test("is not read under a sensitivity that reaches nothing", async () => {
    using task = new TaskRun({ sensitivity: "no_web" });
    await task.start();
    using site = siteOf(page(TEXT));
    const { facts } = await refusal(handIn(task, site, [], undefined, "perspectives:plan"));
    expect(facts["unreached"]).toBe("not_allowed_host");
    expect(site.paths).toEqual([]);
    await abortRun(task.ports, task.runRoot, { waitSeconds: 5 });
  });
});
