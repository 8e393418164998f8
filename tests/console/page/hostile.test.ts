// Documents and questions that would run as a page: everything that others wrote is shown as text, wherever it stands.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { byKey, CHROMIUM, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;
const HOSTILE =
  '<img src="x" onerror="document.body.id=`ran`"><a href="javascript:void(0)">link</a><iframe src="about:blank"></iframe>';
/** What such a text leaves in a page that takes it as HTML. */
const RAN = `[
  document.body.id,
  ...[...document.querySelectorAll("iframe, [onerror], a[href^=javascript]")].map(({ tagName }) => tagName),
]`;

describe.skipIf(CHROMIUM === null)("hostile text", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
    const quoted = HOSTILE.replaceAll("<", "&lt;");
    writeFileSync(
      join(served.corpus, "zebra <img src=x onerror=alert(1)>.md"),
      `# ${HOSTILE}\n\nThe zebra quokka ${HOSTILE}\n`,
    );
    writeFileSync(join(served.corpus, "zebra.html"), `<title>${quoted}</title><p>The zebra quokka eats ${quoted}</p>`);
    await served.start("dr_hostile", { question: `What does the zebra quokka eat? ${HOSTILE}` });
    await served.until("dr_hostile", ({ execution_state }) => execution_state === "completed");
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  async function ran(page: Page): Promise<unknown> {
    return await page.evaluate(RAN);
  }

  test(
    "in a question, a title, a file name, a quote, the journal and a source is text",
    async () => {
      const page = await served.open("dr_hostile");
      await page.getByTestId("version").getByText("1/1").waitFor();
      await page.getByRole("heading", { name: HOSTILE }).first().waitFor();
      await byKey(page.locator("summary", { hasText: "Journal" }));
      await page.getByRole("region", { name: "Journal records" }).waitFor();
      await page.getByRole("region", { name: "Report", exact: true }).getByText("onerror").first().waitFor();
      expect(await ran(page)).toEqual([""]);
      await byKey(page.getByRole("region", { name: "Sources" }).getByRole("button").first());
      await page.getByRole("region", { name: "Text of the source" }).getByText("zebra quokka").waitFor();
      expect(await ran(page)).toEqual([""]);
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "control: the same taken as HTML runs",
    async () => {
      const page = await served.open();
      await page.goto("about:blank");
      await page.setContent(HOSTILE);
      await page.waitForFunction("document.body.id !== ''");
      expect(await ran(page)).toEqual(["ran", "IMG", "A", "IFRAME"]);
    },
    TIMEOUT_MS,
  );
});
