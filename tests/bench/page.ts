// The page of the console in a browser: what it loads, its first paint with many runs, and a long journal.
import fs from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { PrintedUrls } from "../console/printed-urls.ts";
import type { Figure } from "./bench.ts";
import { benchFolder, finishedStep, MAIN, makeRun, median, ports } from "./fixtures.ts";

const RUNS = 500;
const RECORDS = 10_000;
const ROUNDS = 7;
const MOST_SCRIPT_BYTES = 20_000;
const MOST_PAINT_MS = 300;
/** A task of the page that takes longer is felt. */
const MOST_TASK_MS = 200;

const CHROMIUM = Bun.which("chromium");

export async function pageFigures(): Promise<Figure[]> {
  if (CHROMIUM === null) {
    console.log("  skipped: Chromium is not installed; apt-get install chromium");
    return [];
  }
  const folder = benchFolder();
  const runsRoot = path.join(folder, "runs");
  for (let at = 0; at < RUNS; at++) await makeRun(path.join(runsRoot, `dr_${String(at).padStart(4, "0")}`));
  await fill(path.join(runsRoot, "dr_0000"));
  const argv = ["serve", "--port", "0", "--json", "--runs-root", runsRoot];
  const child = Bun.spawn([process.execPath, MAIN, ...argv], {
    env: { ...process.env, XDG_STATE_HOME: path.join(folder, "state") },
    stdout: "pipe",
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const urls = new PrintedUrls(child.stdout);
    return [...(await loads(browser, urls)), await journal(browser, urls)];
  } finally {
    await browser.close();
    child.kill("SIGKILL");
    fs.rmSync(folder, { recursive: true });
  }
}

async function fill(runRoot: string): Promise<void> {
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  await acquired.writer.commit([{ kind: "state.changed", data: { from: "idle", to: "running", reason: "bench" } }]);
  for (let at = 0; at < RECORDS; at += 100)
    await acquired.writer.commit(
      Array.from({ length: 100 }, (_, index) => finishedStep(`wave1:s${at + index}`, "what a step leaves")),
    );
  await acquired.writer.release();
}

/** Each round is a browser that has nothing of the page yet. */
async function loads(browser: Browser, urls: PrintedUrls): Promise<Figure[]> {
  const paints: number[] = [];
  const listed: number[] = [];
  let [scriptBytes, allBytes] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on("response", async (response) => {
      const type = response.headers()["content-type"] ?? "";
      if (round > 0 || !/javascript|css|html/.test(type) || response.status() !== 200) return;
      const { byteLength } = Bun.gzipSync(new Uint8Array(await response.body()));
      allBytes += byteLength;
      if (type.includes("javascript")) scriptBytes += byteLength;
    });
    await page.goto((await urls.next()).url);
    await page
      .locator(".runs li")
      .nth(RUNS - 1)
      .waitFor({ state: "attached" });
    listed.push(Number(await page.evaluate("performance.now()")));
    const paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
    paints.push(Number(await page.evaluate(paint)));
    await context.close();
  }
  return [
    {
      name: "the script of the page",
      value: `${scriptBytes} bytes by gzip; with style and HTML ${allBytes}`,
      target: `below ${MOST_SCRIPT_BYTES}`,
      holds: scriptBytes < MOST_SCRIPT_BYTES,
    },
    {
      name: `first paint with ${RUNS} runs`,
      value: `median ${median(paints).toFixed(0)} ms; all runs listed after ${median(listed).toFixed(0)} ms`,
      target: `below ${MOST_PAINT_MS} ms`,
      holds: median(paints) < MOST_PAINT_MS,
    },
  ];
}

async function journal(browser: Browser, urls: PrintedUrls): Promise<Figure> {
  const page = await browser.newPage();
  await page.addInitScript(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: "longtask", buffered: true });`);
  await page.goto(`${(await urls.next()).url}#dr_0000`);
  await page.getByText(`${RECORDS + 3} records`).waitFor();
  await page.getByText("Journal", { exact: true }).click();
  await page.getByRole("region", { name: "Journal records" }).hover();
  for (let turns = 0; turns < 40; turns++) await page.mouse.wheel(0, -10_000);
  await page.locator(".records .seq").getByText("1", { exact: true }).waitFor();
  const longest = Number(await page.evaluate("longest"));
  const rows = await page.locator(".records li").count();
  return {
    name: `a journal of ${RECORDS} records, read and scrolled`,
    value: `longest task ${longest.toFixed(0)} ms, ${rows} rows drawn`,
    target: `no task above ${MOST_TASK_MS} ms`,
    holds: longest <= MOST_TASK_MS,
  };
}
