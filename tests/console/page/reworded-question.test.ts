// The form of a new session: filled from a run to ask again in other words, and with the models of a server of one's own.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { wellBehaved } from "../../live/well-behaved.ts";
import { CHROMIUM, LIVE, QUESTION, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 120_000;

describe.skipIf(CHROMIUM === null)("the form", () => {
  let served: ServedPages;
  const asked: string[] = [];
  const models = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(`${new URL(request.url).pathname} ${request.headers.get("authorization") ?? ""}`);
      return Response.json({ data: [{ id: "qwen3:8b" }, { id: "gemma<b>" }] });
    },
  });
  beforeAll(async () => {
    served = await ServedPages.open();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await models.stop(true);
    await served[Symbol.asyncDispose]();
  }, TIMEOUT_MS);

  test(
    "is filled from a run that found nothing, with its options, and begins another one with other words",
    async () => {
      await served.start("dr_nothing", {
        question: "What do zebras weigh?",
        sensitivity: "restricted",
        max_rounds: 2,
        mode: "quick",
      });
      await served.until("dr_nothing", ({ condition }) => condition === "halted");
      const page = await served.open("dr_nothing");
      await page.getByRole("button", { name: /^Ask again/ }).click();
      await page.getByRole("heading", { name: "New session" }).waitFor();
      const question = page.locator(".new [name=question]");
      expect(await question.inputValue()).toBe("What do zebras weigh?");
      expect(await page.locator(".new [name=corpus]").inputValue()).toBe(served.corpus);
      expect(await page.locator(".new [name=mode]").inputValue()).toBe("quick");
      await page.getByText("As in that run: sensitivity restricted").waitFor();
      await question.fill(QUESTION);
      await page.getByRole("button", { name: "Start research" }).click();
      await page.getByTestId("state").getByText("completed").waitFor();
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain(QUESTION.slice(0, 20));
      const id = new URL(page.url()).hash.slice(1);
      const run = (await (await served.ask(`/api/runs/${id}`)).json()) as Record<string, unknown>;
      expect(run).toMatchObject({
        settings: { sensitivity: "restricted", mode: "quick" },
        research: { max_rounds: 2 },
      });
      // The menu has it for every run; a form that was left is empty again.
      await page.getByLabel("More actions").click();
      await page.getByRole("button", { name: "Ask again in other words" }).click();
      expect(await question.inputValue()).toBe(QUESTION);
      await page.goto(served.at("dr_nothing"));
      await page.getByRole("button", { name: "New session" }).click();
      expect(await question.inputValue()).toBe("");
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "asks the server at an address for its models, and says why where none answers",
    async () => {
      const page = await served.open();
      await page.getByText("Advanced options").click();
      const address = page.getByLabel("Address of its server");
      await address.fill(`http://127.0.0.1:${models.port}/v1`);
      await address.blur();
      await page.getByText("2 models there: compatible:qwen3:8b, compatible:gemma<b>").waitFor();
      expect(asked).toEqual(["/v1/models Bearer key-of-the-scripted-model"]);
      expect(
        await page
          .locator("datalist#models option")
          .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
      ).toEqual(["compatible:qwen3:8b", "compatible:gemma<b>"]);
      for (const [wrong, words] of [
        ["http://127.0.0.1:9/v1", /cannot be reached/],
        ["ftp://models", /URL/],
        [`http://127.0.0.1:${models.port}/v1?key=x`, /URL/],
      ] as const) {
        await address.fill(wrong);
        await address.blur();
        await page.getByText(words).waitFor();
      }
      await page.locator(".new [name=question]").fill(QUESTION);
      await page.locator(".new [name=corpus]").fill(served.corpus);
      // It has no list, and works all the same.
      served.script = (request) => (request.wire === "other" ? { kind: "message" } : wellBehaved(request));
      await address.fill(served.model.baseUrl);
      await page.locator(".new [name=model]").fill(LIVE.model);
      await page.getByRole("button", { name: "Start research" }).click();
      await page.getByTestId("state").getByText("completed").waitFor();
      expect(page.complaints).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
