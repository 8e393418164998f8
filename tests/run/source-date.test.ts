// Tests of what documents state of themselves: dates and versions, and what is none.
import { expect, test } from "bun:test";
import { statedDate } from "../../src/run/report/source-date.ts";

function stated(text: string, media_type = "text/markdown", raw = text) {
  const encoder = new TextEncoder();
  return statedDate({ media_type, bytes: encoder.encode(raw), text: encoder.encode(text) });
}

test.each([
  [
    "front matter",
    "---\ntitle: A\ndate: 2023-04-05\nversion: 3.1\n---\n# A\n",
    { dated: "2023-04-05", version: "3.1" },
  ],
  ["the later of two fields", "---\ndate: 2020-01-01\nlastmod: 2022-07-01T08:00:00Z\n---\n", { dated: "2022-07-01" }],
  [
    "a line at the end",
    `# A\n\n${"Words. ".repeat(400)}\n\nThis page last modified on 2018-11-26 by hand.`,
    { dated: "2018-11-26" },
  ],
  ["a month in words", "# A\n\nLast updated: November 26, 2018\n", { dated: "2018-11-26" }],
  ["a day in front of its month", "# A\n\nLast reviewed on 6 March 2021.\n", { dated: "2021-03-06" }],
  ["a German line", "# A\n\nZuletzt geändert am 26.11.2018\n", { dated: "2018-11-26" }],
  ["the version below a title", "# HAProxy\n\nConfiguration Manual, version 2.6.12\n", { version: "2.6.12" }],
])("%s is read", (_what, text, expected) => {
  expect(stated(text)).toEqual(expected);
});

test("metadata of a page is read from its bytes, what changed it before what published it", () => {
  const html = `<html><head><meta content="2019-02-03T10:00:00+01:00" property="article:published_time">
<meta name="last-modified" content="2020-05-06"></head><body>Words.</body></html>`;
  expect(stated("Words.", "text/html", html)).toEqual({ dated: "2020-05-06" });
  const json = `<script type="application/ld+json">{"dateModified": "2021-08-09T00:00:00Z"}</script>`;
  expect(stated("Words.", "text/html; charset=utf-8", json)).toEqual({ dated: "2021-08-09" });
});

test("a PDF has the date of its information dictionary", () => {
  const pdf = `%PDF-1.7\n${"x".repeat(200_000)}\n<< /CreationDate (D:20170102030405Z) /ModDate (D:20180304) >>`;
  expect(stated("Words.", "application/pdf", pdf)).toEqual({ dated: "2018-03-04" });
});

test.each([
  ["a date of something in it", "# A\n\nThe run of 2018-11-26 failed.\n"],
  ["a date that is none", "---\ndate: 2018-13-40\n---\n# A\n"],
  ["a year alone", "# A\n\nLast updated in 2018.\n"],
  [
    "a version of something else",
    `# A\n\n${"Words. ".repeat(400)}\n\nIt needs Python version 3.8 and more. ${"Words. ".repeat(400)}`,
  ],
  ["metadata named in the words of a page", '# A\n\nWrite <meta name="date" content="2020-01-01"> into it.\n'],
])("control: %s says nothing of the document", (_what, text) => {
  expect(stated(text)).toEqual({});
});

test("hostile margins are read fast", () => {
  const begun = performance.now();
  for (const text of [
    "last updated ".repeat(50_000),
    "<meta ".repeat(50_000),
    `---\n${"a: b\n".repeat(50_000)}`,
    "\n".repeat(200_000),
  ])
    for (const type of ["text/html", "application/pdf", "text/plain"]) stated(text, type);
  expect(performance.now() - begun).toBeLessThan(3_000);
});
