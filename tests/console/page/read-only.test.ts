// A console that only shows offers nothing that it would refuse; what can be looked at can be.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { CHROMIUM, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;
const ACTIONS = /^(New session|Start research|Resume|Retry|Pause|Abort|Fork|Write|Start again|Run now)/;

describe.skipIf(CHROMIUM === null)("with --read-only", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
    await served.start("dr_done");
    await served.until("dr_done", ({ execution_state }) => execution_state === "completed");
    await served.ask("/api/runs/dr_done/generate", {});
    await served.startHeld("dr_cut");
    await served.killWorker("dr_cut");
    served.letModelGo();
    await served.start("dr_halted", { question: "Wherefore zyzzyva quokka?" });
    await served.until("dr_halted", ({ condition }) => condition === "halted");
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  /** Of the form and of each run: what a press would change. */
  async function offered(page: Page): Promise<string[]> {
    const all: string[] = [];
    for (const id of ["", "dr_done", "dr_cut", "dr_halted"]) {
      await page.goto(served.at(id));
      await page.getByRole("navigation", { name: "Runs" }).getByRole("link").nth(3).waitFor();
      if (id !== "") await page.getByTestId("state").waitFor();
      const names = await page
        .getByRole("button")
        .evaluateAll((buttons) => buttons.map((one) => one.textContent ?? ""));
      if ((await page.getByLabel("More actions").count()) > 0) all.push(`${id} menu`);
      all.push(...names.filter((name) => ACTIONS.test(name)).map((name) => `${id} ${name}`));
    }
    return all;
  }

  test(
    "no action is offered, and both versions of a report can be read; control: without it they are offered",
    async () => {
      expect(await offered(await served.open())).toEqual(
        expect.arrayContaining([" Start research", "dr_done menu", "dr_cut Resume", "dr_halted New session"]),
      );
      await served.killServer();
      await served.serve("--read-only");
      const page = await served.open();
      expect(await offered(page)).toEqual([]);
      await page.goto(served.at("dr_done"));
      await page.getByRole("button", { name: "Older version" }).click();
      await page.getByTestId("version").getByText("1/2").waitFor();
      expect((await served.run("dr_done")).current_report_version_index).toBe(2);
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
