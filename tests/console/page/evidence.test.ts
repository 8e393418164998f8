// Evidence on the page: the first seed's context-provenance, from a sentence to its bytes, verification, two windows.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { taskOf, wellBehaved } from "../../live/well-behaved.ts";
import { byKey, CHROMIUM, LIVE, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;

describe.skipIf(CHROMIUM === null)("evidence", () => {
  let served: ServedPages;
  beforeAll(async () => {
    served = await ServedPages.open();
  }, TIMEOUT_MS);
  afterAll(async () => await served[Symbol.asyncDispose](), TIMEOUT_MS);

  test(
    "context-provenance: who answered, how much of it, and that it replaced another one",
    async () => {
      const folder = join(served.folder, "config/deep-research");
      mkdirSync(folder, { recursive: true });
      const settings = { provider: ["web"], providers: { web: { seeds: ["https://nowhere.invalid/parsing"] } } };
      writeFileSync(join(folder, "config.json"), JSON.stringify(settings));
      await served.start("dr_instead", LIVE);
      rmSync(folder, { recursive: true });
      const page = await served.open("dr_instead");
      await page.getByTestId("state").getByText("completed").waitFor();
      const provenance = page.getByTestId("provenance");
      await provenance.getByText("web", { exact: true }).waitFor();
      await provenance.getByText(/\d+ quotes from 3 sources/).waitFor();
      const sources = page.getByRole("region", { name: "Sources" });
      await sources.getByText(/^filesystem answered in place of web \(web: /).waitFor();
      expect(await sources.getByText(/filesystem in place of web$/).count()).toBe(3);
    },
    TIMEOUT_MS,
  );

  test(
    "what models say is shown as it comes, one line for each worker, and quotes as they are found",
    async () => {
      served.script = (request) => {
        const answer = wellBehaved(request);
        if (taskOf(request).who !== "research" || answer.kind !== "message") return answer;
        // Cut in its words, so that the page shows them while they come.
        return { ...answer, text: "First I look at the parser. ".repeat(100), delta_length: 20, hold_at: 4_000 };
      };
      // What is said is not durable: the page has to be there when it comes.
      served.holdModel("research");
      await served.start("dr_says", LIVE);
      const page = await served.open("dr_says");
      const workers = page.getByRole("region", { name: "At work" });
      await workers.getByText("How it works").waitFor();
      await workers.getByText("What speaks against it").waitFor();
      served.letModelGo();
      // Both have said as much as they may before they are let go.
      for (const at of [0, 1]) await workers.getByText("First I look at the parser.").nth(at).waitFor();
      served.script = wellBehaved;
      served.letModelGo();
      await page.getByText("Quotes found").waitFor();
      await page.getByTestId("state").getByText("completed").waitFor();
      expect(await workers.count()).toBe(0);
    },
    TIMEOUT_MS,
  );

  test(
    "a sentence opens its quote inside the stored source, byte for byte; a derived one what it follows from",
    async () => {
      await served.start("dr_evidence", { ...LIVE, mode: "standard" });
      const page = await served.open("dr_evidence");
      await page.getByTestId("state").getByText("completed").waitFor();
      const report = page.getByRole("region", { name: "Report" });
      const evidence = page.getByRole("dialog", { name: "Evidence" });

      await byKey(report.getByTitle("What it follows from").first());
      await evidence.getByText("It follows from:").waitFor();
      await evidence.getByRole("listitem").first().getByRole("button").click();
      const [marked, place] = [evidence.locator("mark"), evidence.getByText(/bytes \d+ to \d+/)];
      const [, start, end] = /bytes (\d+) to (\d+)/.exec(await place.innerText()) ?? [];
      await evidence.getByText("Check by hand").click();
      const [name = ""] = /sources\/[0-9a-f]+\.txt/.exec(await evidence.locator("pre").innerText()) ?? [];
      const stored = readFileSync(join(served.runsRoot, "dr_evidence", name));
      expect(await marked.innerText()).toBe(stored.subarray(Number(start), Number(end)).toString("utf8"));
      await page.keyboard.press("Escape");
      await evidence.waitFor({ state: "hidden" });

      await report
        .getByTitle(/^Quote \d+[a-z]+$/)
        .first()
        .click();
      await marked.waitFor();
      await evidence.getByRole("button", { name: "Close" }).click();
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "two windows on one run show the same version and the same verification; control: what was altered does not verify",
    async () => {
      await served.start("dr_windows");
      await served.until("dr_windows", ({ execution_state }) => execution_state === "completed");
      await served.ask("/api/runs/dr_windows/generate", {});
      const [one, other] = [await served.open("dr_windows"), await served.open("dr_windows")];
      await other.getByTestId("version").getByText("2/2").waitFor();
      await one.getByRole("button", { name: "Older version" }).click();
      await other.getByTestId("version").getByText("1/2").waitFor();
      await one.getByRole("button", { name: "Verify" }).click();
      await other
        .getByTestId("verification")
        .getByText(/^Verified: \d+ quotes/)
        .waitFor();

      const sources = join(served.runsRoot, "dr_windows/sources");
      appendFileSync(join(sources, readdirSync(sources).find((name) => name.endsWith(".txt")) ?? ""), " ");
      await other.getByRole("button", { name: "Verify again" }).click();
      for (const window of [one, other]) await window.getByText(/^Does not verify/).waitFor();
    },
    TIMEOUT_MS,
  );
});
