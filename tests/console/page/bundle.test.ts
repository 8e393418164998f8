// The files of the page as the server sends them: small, nothing inline, nothing from any other host.
import { beforeAll, describe, expect, test } from "bun:test";
import { PAGE } from "../../../src/console/page.ts";
import type { PageFile } from "../../../src/ports/page-files.ts";
import { pageFiles } from "../../../src/system/page-files.ts";

const MOST_SCRIPT_BYTES = 20_000;
/** In names of namespaces, which nobody loads. */
const NAMES = /https?:\/\/www\.w3\.org\/[\w/]+/g;

describe("the files of the page", () => {
  let files: PageFile[] = [];
  beforeAll(async () => {
    files = await pageFiles(PAGE);
  });
  const textOf = (ending: string): string =>
    files.flatMap(({ name, bytes }) => (name.endsWith(ending) ? new TextDecoder().decode(bytes) : [])).join("\n");
  const html = (): string =>
    files.flatMap(({ name, bytes }) => (name === "" ? Buffer.from(bytes).toString() : [])).join();

  test("are one HTML, one script below 20 KB by gzip, one style sheet, one picture", () => {
    expect(files.map(({ name }) => name.split(".")[1] ?? "html").toSorted()).toEqual(["css", "html", "js", "svg"]);
    expect(Bun.gzipSync(textOf(".js")).byteLength).toBeLessThan(MOST_SCRIPT_BYTES);
  });

  test("have nothing inline: no script, no style, no handler in the HTML", () => {
    const inline = /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/;
    expect(html()).toMatch(/<script [^>]*src="\.\/[^"]+\.js"/);
    expect(html()).not.toMatch(inline);
    for (const broken of ["<script>1</script>", "<style></style>", '<p onclick="1">', '<p style="top:0">'])
      expect(broken).toMatch(inline);
  });

  test("name no other host", () => {
    for (const ending of [".js", ".css", ".svg"])
      expect([
        ending,
        textOf(ending)
          .replace(NAMES, "")
          .match(/\w+:\/\/[\w.]+/g),
      ]).toEqual([ending, null]);
    expect(html()).not.toContain("://");
  });
});
