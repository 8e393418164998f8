// Halted runs on the page: buttons that approve a plan and settle a call, and reports of what does not continue by itself.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { testPorts } from "../../operations/made-run.ts";
import { makeWaitingCall } from "../../operations/waiting-call.ts";
import { CHROMIUM, LIVE, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;

describe.skipIf(CHROMIUM === null)("halted", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  test(
    "a plan that waits is approved by a button, and the file that may be edited is named",
    async () => {
      await served.start("dr_plan", { approve_plan: true });
      const page = await served.open("dr_plan");
      await page.getByText(/^continue with an edited copy of .*\.json$/).waitFor();
      await page.getByRole("button", { name: "Approve: continue with the plan as it is" }).click();
      await page.getByRole("button", { name: /^Run now/ }).click();
      await page.getByTestId("state").getByText("completed").waitFor();
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test.each(["It was done", "Call again"])(
    "of a call that was cut off a button says: %s",
    async (label) => {
      const id = label === "Call again" ? "dr_again" : "dr_done";
      await makeWaitingCall(testPorts(), served.runsRoot, id);
      const page = await served.open(id);
      await page.getByRole("button", { name: new RegExp(`^${label}: `) }).click();
      await page.getByRole("button", { name: new RegExp(`^${label}: `) }).waitFor({ state: "detached" });
      const told = await served.ask(`/api/runs/${id}/events?after=0`);
      const kind = label === "Call again" ? "tool.replay_allowed" : "tool.completed";
      expect(await eventsUntil(told, "halt.cleared")).toContain(`event: ${kind}\n`);
      expect(await page.getByRole("alert").count()).toBe(0);
    },
    TIMEOUT_MS,
  );

  test(
    "a report is written of a run that was interrupted, and of one that halts, and leaves both as they stand",
    async () => {
      served.holdModel("draft");
      await served.start("dr_cut", LIVE);
      const page = await served.open("dr_cut");
      await page.getByLabel("Stages").locator("[aria-current=step]").getByText("Draft").waitFor();
      await served.killWorker("dr_cut");
      served.letModelGo();
      await page.getByTestId("state").getByText("interrupted").waitFor();
      await writesReport(page);
      expect((await served.run("dr_cut")).execution_state).toBe("interrupted");

      await served.start("dr_review", { ...LIVE, max_rounds: 2, role_driver: ["reviewer=task"] });
      await page.goto(served.at("dr_review"));
      await page.getByText(/^submit the answer to /).waitFor();
      await writesReport(page);
      expect((await served.run("dr_review")).condition).toBe("halted");
      for (const id of ["dr_cut", "dr_review"])
        expect((await served.run(id)).report_versions).toMatchObject([{ trigger_type: "manual" }]);
    },
    TIMEOUT_MS,
  );
});

async function writesReport(page: Page): Promise<void> {
  await page.getByLabel("More actions").click();
  await page.getByRole("button", { name: "Write a report now" }).click();
  await page.getByTestId("version").getByText("1/1").waitFor();
}

async function eventsUntil(response: Response, event: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  while (!read.includes(`event: ${event}\n`)) read += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  return read;
}
