// The cookie of the console in a real browser: a server of another user on this machine is sent none.
import { describe, expect, test } from "bun:test";
import { CHROMIUM, ServedPages } from "./served-pages.ts";

const TIMEOUT_MS = 120_000;

/** What a server on the same address and another port is sent by a browser that has the console open. */
async function cookiesAtOtherPort(cookiePath?: string): Promise<string[]> {
  await using served = await ServedPages.open();
  const page = await served.open();
  await page.getByRole("heading", { name: "New session" }).waitFor();
  const sent: string[] = [];
  const other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      sent.push(request.headers.get("cookie") ?? "");
      return new Response("<title>other</title>", { headers: { "content-type": "text/html" } });
    },
  });
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

describe.skipIf(CHROMIUM === null)("a server on another port of this machine", () => {
  test("is not sent the token", async () => expect(await cookiesAtOtherPort()).toEqual([]), TIMEOUT_MS);

  test(
    "control: a cookie for every path would be sent to it",
    async () => expect((await cookiesAtOtherPort("/")).length).toBeGreaterThan(0),
    TIMEOUT_MS,
  );
});
