// Sessions on the page, by the acceptance criteria of the fourth seed: AC-1 to AC-5.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { CHROMIUM, LIVE, QUESTION, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;
const HEADLINES = `["[aria-current=page] .state", "[data-testid=state]"].map(
  (place) => document.querySelector(place).textContent,
)`;

describe.skipIf(CHROMIUM === null)("sessions", () => {
  let served: ServedPages;
  let failing: Promise<void>;
  beforeAll(async () => {
    served = await ServedPages.open();
    // It takes its time until it is late; the tests before the one that needs it continue meanwhile.
    failing = failed(served, "dr_failed");
    failing.catch(() => {});
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  test(
    "AC-1: start, pause, resume; abort asks for confirmation, from running as from paused; after it research cannot restart",
    async () => {
      const page = await served.open();
      served.holdModel("verify");
      await page.getByLabel("Question", { exact: true }).fill(QUESTION);
      await page.getByLabel("Documents").fill(served.corpus);
      await page.locator("[name=driver]").selectOption("live");
      await page.locator("[name=mode]").selectOption("quick");
      await page.getByText("Advanced options").click();
      await page.locator("[name=model]").fill(LIVE.model);
      await page.getByRole("button", { name: "Start research" }).click();
      await stateOf(page, "running");
      const runId = new URL(page.url()).hash.slice(1);
      await served.untilModelWaits();

      await inMenu(page, "Pause research");
      await page.getByText("pause requested").waitFor();
      served.letModelGo();
      await stateOf(page, "paused");
      served.holdModel("draft");
      await inMenu(page, "Resume research");
      await stateOf(page, "running");

      await inMenu(page, "Abort research");
      await page.getByText("ends research in this session for good").waitFor();
      await page.getByRole("button", { name: "Keep researching" }).click();
      expect((await served.run(runId)).execution_state).toBe("running");
      await inMenu(page, "Abort research");
      await page.getByRole("button", { name: "Abort for good" }).click();
      // An abort cuts the call off that waits: a model that continues before could let the run complete.
      await stateOf(page, "aborted");
      served.letModelGo();

      await openMenu(page);
      expect(await page.getByRole("button", { name: "Pause research" }).isDisabled()).toBe(true);
      expect(await page.getByRole("button", { name: "Resume research" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Abort research" }).isDisabled()).toBe(true);
      expect((await served.ask(`/api/runs/${runId}/resume`, {})).status).toBe(409);

      // A fork is another run, which begins when it is told to.
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Fork: a new run that keeps the finished steps" }).click();
      await stateOf(page, "not started");
      await page.getByRole("button", { name: "Run now: start it" }).click();
      await stateOf(page, "completed");
      expect((await served.run(runId)).execution_state).toBe("aborted");
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "AC-2: at its natural end a session is completed, with exactly one report of its own accord",
    async () => {
      await served.start("dr_natural");
      const page = await served.open("dr_natural");
      await stateOf(page, "completed");
      // The list is read apart from the run that is open, and says the same as soon as it is there.
      await page.locator("[aria-current=page] .state").waitFor();
      expect(await page.evaluate(HEADLINES)).toEqual(["completed", "completed"]);
      await page.getByTestId("version").getByText("1/1").waitFor();
      await page
        .getByRole("region", { name: "Report" })
        .getByText(/UTC, at the end$/)
        .waitFor();
      const { report_versions } = await served.run("dr_natural");
      expect(report_versions?.map(({ trigger_type }) => trigger_type)).toEqual(["auto_natural_stop"]);
    },
    TIMEOUT_MS,
  );

  test(
    "AC-3: a report can be requested when paused, completed, aborted and failed; each adds one version",
    async () => {
      const page = await served.open("dr_natural");
      await stateOf(page, "completed");
      await inMenu(page, "Write a report now");
      await page.getByTestId("version").getByText("2/2").waitFor();

      await served.startHeld("dr_stopped");
      await page.goto(served.at("dr_stopped"));
      await stateOf(page, "running");
      await openMenu(page);
      expect(await page.getByRole("button", { name: "Write a report now" }).isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Pause research" }).click();
      await page.getByText("pause requested").waitFor();
      served.letModelGo();
      await stateOf(page, "paused");
      await inMenu(page, "Write a report now");
      await page.getByTestId("version").getByText("1/1").waitFor();
      await inMenu(page, "Abort research");
      await page.getByRole("button", { name: "Abort for good" }).click();
      await stateOf(page, "aborted");
      await page.getByRole("button", { name: "Write a report: write a report from what was found" }).click();
      await page.getByTestId("version").getByText("2/2").waitFor();

      await failing;
      await page.goto(served.at("dr_failed"));
      await stateOf(page, "failed: time limit");
      await page.getByRole("button", { name: "Write a report: write a report from what was found" }).click();
      await page.getByTestId("version").getByText("1/1").waitFor();
      for (const [id, count] of [
        ["dr_natural", 2],
        ["dr_stopped", 2],
        ["dr_failed", 1],
      ] as const)
        expect([id, (await served.run(id)).report_versions?.length]).toEqual([id, count]);
    },
    TIMEOUT_MS,
  );

  test(
    "AC-4: the page says which of how many versions it shows, goes to older and newer ones, and downloads the shown one",
    async () => {
      const page = await served.open("dr_natural");
      const version = page.getByTestId("version");
      await version.getByText("2/2").waitFor();
      expect(await downloaded(page)).toMatchObject({ version_index: 2 });
      await page.getByRole("button", { name: "Older version" }).click();
      await version.getByText("1/2").waitFor();
      expect(await page.getByRole("button", { name: "Older version" }).isDisabled()).toBe(true);
      expect(await downloaded(page)).toMatchObject({ version_index: 1 });
      await page.reload();
      await version.getByText("1/2").waitFor();
      await page.getByLabel("Compare with").selectOption("2");
      await page.getByTestId("diff").getByText("From version 1 to version 2").waitFor();
      await page.getByRole("button", { name: "Newer version" }).click();
      await version.getByText("2/2").waitFor();
    },
    TIMEOUT_MS,
  );

  test(
    "AC-5: an opened session has its state, its options and its versions, and is locked; a new one is not",
    async () => {
      await served.startHeld("dr_options", { max_depth: 1, max_rounds: 2, results_per_query: 4 });
      await served.stopHeld("dr_options", "pause");
      await served.ask("/api/runs/dr_options/generate", {});
      const page = await served.open("dr_options");
      await stateOf(page, "paused");
      await page.getByTestId("version").getByText("1/1").waitFor();
      await page.getByText("Question and options, as the run was made").click();
      const fields = { "Waves of research": "1", "Drafts at most": "2", "Passages per query": "4" };
      for (const [label, value] of Object.entries(fields)) {
        const field = page.getByLabel(label);
        expect([label, await field.inputValue(), await field.isDisabled()]).toEqual([label, value, true]);
      }
      const question = page.locator("[name=question]");
      expect([await question.inputValue(), await question.isDisabled()]).toEqual([QUESTION, true]);
      await page.getByRole("button", { name: "New session" }).click();
      await page.getByRole("heading", { name: "New session" }).waitFor();
      expect([await question.inputValue(), await question.isDisabled()]).toEqual(["", false]);
    },
    TIMEOUT_MS,
  );
});

async function stateOf(page: Page, words: string): Promise<void> {
  await page.getByTestId("state").getByText(words, { exact: true }).waitFor();
}

async function openMenu(page: Page): Promise<void> {
  await page.getByLabel("More actions").click();
}

async function inMenu(page: Page, action: string): Promise<void> {
  await openMenu(page);
  await page.getByRole("button", { name: action, exact: true }).click();
}

async function downloaded(page: Page): Promise<unknown> {
  const arriving = page.waitForEvent("download");
  await page.getByText("Download", { exact: true }).click();
  await page.getByRole("link", { name: "JSON" }).click();
  const path = await (await arriving).path();
  await page.getByText("Download", { exact: true }).click();
  return JSON.parse(readFileSync(path, "utf8"));
}

/** A run that found something and then made no progress within its time limit. */
async function failed(served: ServedPages, runId: string): Promise<void> {
  const limit = { DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "10" };
  await served.command(["init", QUESTION, "--corpus", served.corpus, "--run-id", runId], limit);
  while (((await served.run(runId)).counters?.sources ?? 0) === 0) await served.command(["tick", runId]);
  while ((await served.run(runId)).execution_state !== "failed") await served.command(["watchdog", runId, "--strict"]);
}
