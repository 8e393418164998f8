// Tests of the HTML page in a browser, where one is installed: it is accessible in light and dark, and never wider than the screen.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { z } from "zod";
import { reportHtml } from "../../src/pages/html-page.ts";
import { temporaryFolder } from "../operations/made-run.ts";
import { FULL_REPORT, gapMarksReport, HOSTILE_REPORT, tasksReport } from "./sample-report.ts";

const browser = Bun.which("chromium");
if (browser === null) console.log("skipped: Chromium is not installed; apt-get install chromium");

const AXE = fs.readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/;
/** A script that opens every card, then notes what axe finds and how wide the page is. */
const LOOK = `
  for (const card of document.querySelectorAll(".card")) card.popover = "manual", card.showPopover();
  const { scrollWidth, clientWidth } = document.documentElement;
  axe.run().then(({ violations }) => {
    const found = violations.map(({ id, nodes }) => id + ": " + nodes[0].html);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.title = JSON.stringify({ found, dark, fits: scrollWidth <= clientWidth });
  });`;
const OPTIONS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --virtual-time-budget=20000 --dump-dom";
const seenSchema = z.object({ found: z.array(z.string()), dark: z.boolean(), fits: z.boolean() });

function seen(html: string, scheme: "dark" | "light", width: number): z.infer<typeof seenSchema> {
  using folder = temporaryFolder();
  const page = html
    .replace(POLICY, "")
    .replace("</body>", () => `<script>${AXE}</script><script>${LOOK}</script></body>`);
  fs.writeFileSync(`${folder.path}/page.html`, page);
  const { stdout } = Bun.spawnSync([
    browser ?? "",
    ...OPTIONS.split(" "),
    `--user-data-dir=${folder.path}/profile`,
    `--blink-settings=preferredColorScheme=${scheme === "dark" ? 0 : 1}`,
    `--window-size=${width},900`,
    `file://${folder.path}/page.html`,
  ]);
  const [, title = ""] = /<title>(.*?)<\/title>/s.exec(stdout.toString()) ?? [];
  return seenSchema.parse(JSON.parse(title.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")));
}

describe.skipIf(browser === null)("in Chromium", () => {
  test.each([
    ["light", 1_400],
    ["dark", 900],
    ["light", 500],
  ] as const)(
    "the page passes axe and fits: %s, %d wide",
    (scheme, width) => {
      for (const report of [FULL_REPORT, HOSTILE_REPORT, gapMarksReport(), tasksReport()])
        expect(seen(reportHtml(report), scheme, width)).toEqual({
          found: [],
          dark: scheme === "dark",
          fits: true,
        });
    },
    180_000,
  );

  test("control: a page with pale words and a wide line fails", () => {
    const pale = reportHtml(FULL_REPORT)
      .replace("--soft: #586068", "--soft: #d0d0d0")
      .replace("<h1", "<p style='width:200vw'>x</p><h1");
    const { found, fits } = seen(pale, "light", 900);
    expect([found.some((one) => one.startsWith("color-contrast")), fits]).toEqual([true, false]);
  }, 600_000);
});
