// Interrupted work on the page: the three buttons of the third seed, and the first seed's session-resume-integrity.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { byKey, CHROMIUM, LIVE, QUESTION, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;

describe.skipIf(CHROMIUM === null)("interrupted", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  test(
    "session-resume-integrity: server and worker are killed at work; both windows offer to resume, and the report is the same",
    async () => {
      await served.start("dr_whole", LIVE);
      const { report_versions: whole } = await served.until("dr_whole", isCompleted);

      await served.startHeld("dr_cut");
      const page = await served.open("dr_cut");
      await page.getByText("Quotes found").waitFor();
      await served.killServer();
      await page.getByRole("alert").getByText("The server does not answer.").waitFor();
      await served.serve();
      await served.killWorker("dr_cut");

      // The page continues by itself: the server knows its cookie.
      const windows = [page, await served.open("dr_cut")];
      for (const window of windows) {
        await banner(window).waitFor();
        await window.getByTestId("state").getByText("interrupted").waitFor();
        await window.getByText("Quotes found").waitFor();
      }
      await page.reload();
      await banner(page).getByRole("button", { name: "Resume" }).click();
      served.letModelGo();
      for (const window of windows) {
        await window.getByTestId("state").getByText("completed").waitFor();
        await window.getByTestId("version").getByText("1/1").waitFor();
        expect(await banner(window).count()).toBe(0);
      }
      const { report_versions: resumed } = await served.run("dr_cut");
      expect(resumed?.map(({ digest }) => digest)).toEqual(whole?.map(({ digest }) => digest) ?? []);
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "the other two buttons: Retry from scratch makes a new run and keeps the old one; Dismiss is remembered for this run alone",
    async () => {
      for (const id of ["dr_kept", "dr_other"]) {
        await served.startHeld(id);
        await served.killWorker(id);
        served.letModelGo();
      }
      const page = await served.open("dr_kept");
      await banner(page).getByRole("button", { name: "Retry from scratch" }).click();
      await page.getByTestId("state").getByText("completed").waitFor();
      expect(new URL(page.url()).hash).not.toBe("#dr_kept");
      expect(await page.getByRole("heading", { level: 1 }).first().innerText()).toContain(QUESTION.slice(0, 20));
      expect((await served.run("dr_kept")).execution_state).toBe("interrupted");

      await page.goto(served.at("dr_kept"));
      await banner(page).getByRole("button", { name: "Dismiss" }).click();
      await banner(page).waitFor({ state: "detached" });
      await page.reload();
      await page.getByTestId("state").getByText("interrupted").waitFor();
      expect(await banner(page).count()).toBe(0);
      // What was dismissed is still there to be resumed.
      await page.getByLabel("More actions").click();
      await page.getByRole("button", { name: "Resume research" }).click();
      await page.getByTestId("state").getByText("completed").waitFor();
      const menu = page.locator("details.menu", { hasText: "Download" });
      await byKey(menu.locator("summary"));
      await page.keyboard.press("Escape");
      expect(await menu.getAttribute("open")).toBeNull();
      await byKey(menu.locator("summary"));
      await Promise.all([page.waitForEvent("download"), byKey(page.getByRole("link", { name: "Markdown" }))]);
      expect(await menu.getAttribute("open")).toBeNull();
      await page.goto(served.at("dr_other"));
      await banner(page).waitFor();
    },
    TIMEOUT_MS,
  );
});

function isCompleted({ execution_state }: { execution_state?: string | undefined }): boolean {
  return execution_state === "completed";
}

function banner(page: Page): ReturnType<Page["getByRole"]> {
  return page.getByRole("region", { name: "Interrupted" });
}
