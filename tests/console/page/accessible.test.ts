// The page in each of its states: axe finds nothing, nothing is cut off or wider than the window, and the keyboard reaches all of it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { z } from "zod";
import { byKey, CHROMIUM, LIVE, QUESTION, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;
const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const ARROW_PX = 15;
/** As text: tests are checked without the types of a browser. */
const LOOK = `axe.run().then(({ violations }) => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = violations.map(({ id, nodes }) => id + ": " + nodes[0].html);
  const ink = document.createElement("canvas").getContext("2d");
  for (const select of document.querySelectorAll("select")) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    ink.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - ${ARROW_PX};
    const cut = [...select.options].filter(({ text }) => ink.measureText(text).width > room);
    if (select.checkVisibility()) found.push(...cut.map(({ text }) => "cut off: " + text));
  }
  return { found, fits: scrollWidth <= clientWidth };
})`;
/** What has the focus as soon as the heading of a run is there. */
const FOCUSED_FIRST = `new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (document.querySelector(".run h1") === null) return;
    observer.disconnect();
    resolve(document.activeElement.tagName);
  });
  observer.observe(document.body, { childList: true, subtree: true });
})`;
const seenSchema = z.object({ found: z.array(z.string()), fits: z.boolean() });

async function seen(page: Page): Promise<z.infer<typeof seenSchema>> {
  // Evaluated by the debugger, so that the policy of the page stays as strict as it is.
  await page.evaluate(AXE);
  return seenSchema.parse(await page.evaluate(LOOK));
}

const WIDE = { colorScheme: "light", viewport: { width: 1_400, height: 900 } } as const;
const NARROW = { colorScheme: "dark", viewport: { width: 390, height: 800 } } as const;
/** Those with most on the page come first; a narrow window is shown no more. */
const STATES = ["completed", "interrupted", "halted", "aborted", "running"];

describe.skipIf(CHROMIUM === null)("accessible", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
    await served.start("dr_completed", { ...LIVE, mode: "standard" });
    await served.start("dr_halted", { question: "Which zebras won the yacht race of 1931?" });
    await served.until("dr_completed", ({ execution_state }) => execution_state === "completed");
    await served.ask("/api/runs/dr_completed/generate", {});
    await served.ask("/api/runs/dr_completed/verify", {});
    // From here on the model keeps runs waiting: what has to end has ended.
    await served.startHeld("dr_aborted");
    await served.stopHeld("dr_aborted", "abort");
    await served.startHeld("dr_interrupted");
    await served.killWorker("dr_interrupted");
    await served.startHeld("dr_running");
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  test.each([WIDE, NARROW])(
    "every state: %o",
    async (look) => {
      const page = await served.open("", look);
      await page.getByText("Advanced options").click();
      expect(["new session", await seen(page)]).toEqual(["new session", { found: [], fits: true }]);
      for (const state of look === WIDE ? STATES : STATES.slice(0, 3)) {
        await page.goto(served.at(`dr_${state}`));
        await page.getByTestId("state").waitFor();
        await page.getByText("Timeline").waitFor();
        if (state === "completed") await page.getByTitle("What it follows from").first().waitFor();
        await page.getByText("Question and options, as the run was made").click();
        await byKey(page.locator("summary", { hasText: "Journal" }));
        await page.getByRole("region", { name: "Journal records" }).waitFor();
        expect([state, await seen(page)]).toEqual([state, { found: [], fits: true }]);
      }
      // What opens over the page.
      await page.getByLabel("More actions").click();
      expect(["menu", await seen(page)]).toEqual(["menu", { found: [], fits: true }]);
      await page.getByRole("button", { name: "Abort research" }).click();
      expect(["abort", await seen(page)]).toEqual(["abort", { found: [], fits: true }]);
      await page.keyboard.press("Escape");
      await page.goto(served.at("dr_completed"));
      await page.getByTitle("What it follows from").first().click();
      await page.getByRole("dialog").getByRole("listitem").first().getByRole("button").click();
      await page.locator("dialog mark").waitFor();
      expect(["evidence", await seen(page)]).toEqual(["evidence", { found: [], fits: true }]);
      await page.keyboard.press("Escape");
      await page.getByLabel("Compare with").selectOption({ index: 1 });
      await page.getByTestId("diff").waitFor();
      expect(["diff", await seen(page)]).toEqual(["diff", { found: [], fits: true }]);
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "control: pale words and a button without a name are found, a wide line does not fit",
    async () => {
      const page = await served.open("", WIDE);
      await page.getByLabel("Question", { exact: true }).waitFor();
      await page.evaluate(`
        const paragraph = document.querySelector("main").appendChild(document.createElement("p"));
        paragraph.append("pale", document.createElement("button"));
        paragraph.style.color = "#dddddd";
        paragraph.style.width = "200vw";`);
      const { found, fits } = await seen(page);
      expect(new Set(found.map((one) => one.split(":")[0]))).toEqual(new Set(["button-name", "color-contrast"]));
      expect(fits).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "the heading of a run has the focus from the first moment: later it would be taken from a menu that was opened meanwhile",
    async () => {
      const page = await served.open();
      await page.getByRole("heading", { name: "New session" }).waitFor();
      const focused = page.evaluate(FOCUSED_FIRST);
      await page.goto(served.at("dr_completed"));
      expect(await focused).toBe("H1");
    },
    TIMEOUT_MS,
  );

  test(
    "by keyboard: a run from the list, its menu, and the dialog of abort, out of which Escape leads",
    async () => {
      const page = await served.open();
      const link = page.getByRole("link", { name: /running/ });
      await link.focus();
      await page.keyboard.press("Enter");
      await page.locator("h1:focus").getByText(QUESTION).waitFor();
      await page.getByLabel("More actions").focus();
      await page.keyboard.press("Enter");
      const abort = page.locator("button:focus").getByText("Abort research");
      for (let tabs = 0; tabs < 8 && (await abort.count()) === 0; tabs++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Abort this research?" });
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect((await served.run("dr_running")).execution_state).toBe("running");
    },
    TIMEOUT_MS,
  );
});
