// Tests of asking on from the page: a field below the report, and the questions before above the next one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { byKey, CHROMIUM, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;

describe.skipIf(CHROMIUM === null)("asking on", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  test(
    "opens the run of the next question, which leads back to the one before",
    async () => {
      await served.start("dr_first");
      const page = await served.open("dr_first");
      await page.getByTestId("state").getByText("completed").waitFor();
      await page.getByLabel("Ask on").fill("And how are <b>errors</b> reported?");
      await byKey(page.getByRole("button", { name: "Ask", exact: true }));
      await page.getByRole("heading", { name: "And how are <b>errors</b> reported?", level: 1 }).waitFor();
      await page.getByTestId("state").getByText("completed").waitFor();
      const before = page.getByRole("navigation", { name: "Questions before" });
      await before.getByRole("link").waitFor();
      await before.getByRole("link").click();
      await page.getByText("dr_first").first().waitFor();
      await page.getByRole("navigation", { name: "Questions before" }).waitFor({ state: "detached" });
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
