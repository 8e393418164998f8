// The cookie of the console in a real browser: who is sent it, and that a link to the console works from everywhere.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHROMIUM, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 600_000;

/** Another server on this machine. */
function otherServer(html: string, onRequest: (request: Request) => void = () => {}) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      onRequest(request);
      return new Response(html, { headers: { "content-type": "text/html" } });
    },
  });
}

/** What a server on the same address and another port is sent by a browser that has the console open. */
async function cookiesAtOtherPort(cookiePath?: string): Promise<string[]> {
  await using served = await ServedPages.open();
  const page = await served.open();
  await page.getByRole("heading", { name: "New session" }).waitFor();
  const sent: string[] = [];
  const other = otherServer("<title>other</title>", ({ headers }) => sent.push(headers.get("cookie") ?? ""));
  try {
    const [cookie] = await page.context().cookies(page.url());
    if (cookie === undefined) throw new Error("the page has no cookie");
    if (cookiePath !== undefined) await page.context().addCookies([{ ...cookie, path: cookiePath }]);
    await page.goto(`http://127.0.0.1:${other.port}/`);
    await page.evaluate(async () => await (await fetch("/api/runs")).text());
  } finally {
    await other.stop(true);
  }
  return sent.filter((words) => words.includes("deep_research_token"));
}

describe.skipIf(CHROMIUM === null)("the cookie", () => {
  test(
    "is not sent to another port of this machine",
    async () => expect(await cookiesAtOtherPort()).toEqual([]),
    TIMEOUT_MS,
  );

  test(
    "control: for every path it would be",
    async () => expect((await cookiesAtOtherPort("/")).length).toBeGreaterThan(0),
    TIMEOUT_MS,
  );

  test(
    "lets in who follows the printed URL on a page of another site, such as a terminal in a browser",
    async () => {
      await using served = await ServedPages.open();
      const page = await served.open();
      await page.context().clearCookies();
      const other = otherServer(`<a href="${await served.url()}">console</a>`);
      try {
        // To a browser `localhost` is another site than 127.0.0.1.
        await page.goto(`http://localhost:${other.port}/`);
        await page.getByRole("link").click();
        await page.getByRole("heading", { name: "New session" }).waitFor();
      } finally {
        await other.stop(true);
      }
    },
    TIMEOUT_MS,
  );

  test(
    "is set by the file that --open gives to the browser, which is gone once it has led there",
    async () => {
      await using served = await ServedPages.open();
      const page = await served.open();
      await page.context().clearCookies();
      const opened = join(served.folder, "opened");
      writeFileSync(
        join(served.folder, "xdg-open"),
        `#!/bin/sh\necho "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`,
      );
      chmodSync(join(served.folder, "xdg-open"), 0o755);
      await served.killServer();
      await served.serve("--open");
      while (!existsSync(opened)) await Bun.sleep(20);
      const address = readFileSync(opened, "utf8").trim();
      await page.goto(address);
      await page.getByRole("heading", { name: "New session" }).waitFor();
      expect(page.url()).not.toContain("ticket");
      const file = fileURLToPath(address);
      while (existsSync(file)) await Bun.sleep(20);
    },
    TIMEOUT_MS,
  );
});
