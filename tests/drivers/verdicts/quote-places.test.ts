// Tests of the places of quotes in a live run: the page of a PDF, the headings of a web page, and none in plain text.
import { expect, test } from "bun:test";
import { placed } from "../../../src/drivers/verdicts/quote-places.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import type { Citation } from "../../../src/run/report/research.ts";
import type { Anchor, Source } from "../../../src/run/report/source.ts";

const SENTENCE = "Größe zählt: the tank holds six cubic metres.";

async function placeIn(text: string, media_type: string, origin: string): Promise<Anchor | undefined> {
  const digest = digestOfBytes(text);
  const bytes = Buffer.from(text);
  const source: Source = {
    schema_version: "source.v1",
    source_digest: digest,
    text_digest: digest,
    media_type,
    title: "Tank",
    origin,
    provider_id: "web",
    retrieved_at: "2026-01-01T00:00:00.000Z",
    bytes: bytes.byteLength,
  };
  const start = bytes.indexOf(SENTENCE);
  const citation: Citation = {
    citation_id: "overview-q1",
    subject: "overview",
    quote: { source_digest: digest, start, end: start + Buffer.byteLength(SENTENCE), text: SENTENCE },
    found: true,
    verdict: "supported",
    method: "verbatim",
  };
  const tools = { sourceText: async () => bytes, signal: new AbortController().signal };
  return (await placed([citation], [source], tools))[0]?.quote.anchor;
}

const BEHIND = `# Tank

Über alles.

## Size

${SENTENCE}
`;

test("a quote from a PDF has its page, whatever the address ends in", async () => {
  const pages = `First page, über.\fSecond page. ${SENTENCE}\fThird.`;
  expect(await placeIn(pages, "application/pdf", "https://tanks.example/get?id=7")).toEqual({ page: 2 });
});

test("a quote from Markdown, or from a page converted to it, has the headings above it", async () => {
  expect(await placeIn(BEHIND, "text/html; charset=utf-8", "https://tanks.example/size.php")).toEqual({
    section: ["Tank", "Size"],
  });
  expect(await placeIn(BEHIND, "text/markdown", "corpus/size.md")).toEqual({ section: ["Tank", "Size"] });
});

test("a quote from plain text has no headings", async () => {
  expect(await placeIn(`# a comment\nkey: ${SENTENCE}\n`, "text/plain", "corpus/settings.yaml")).toBeUndefined();
});

test.each([
  ["the term that it defines", `${BEHIND.slice(0, BEHIND.indexOf(SENTENCE))}Tank Six\n: ${SENTENCE}\n`, "Tank Six"],
  [
    "the one line above the code that it stands in",
    `## Size\n\ntank.size <number>\n\n\`\`\`\n${SENTENCE}\n\`\`\`\n`,
    "tank.size",
  ],
])("a quote has behind its headings %s", async (_what, text, label) => {
  expect((await placeIn(text, "text/html", "https://tanks.example/"))?.section?.slice(-2)).toEqual(["Size", label]);
});

test.each([
  ["a paragraph behind a definition", `## Size\n\nTank Six\n: It is big.\n\n${SENTENCE}\n`],
  ["code below a sentence", `## Size\n\nIt says so.\n\n\`\`\`\n${SENTENCE}\n\`\`\`\n`],
  ["code below a lead-in", `## Size\n\nExample:\n\n\`\`\`\n${SENTENCE}\n\`\`\`\n`],
  ["code behind code", `## Size\n\ntank.size\n\n\`\`\`\nx\n\`\`\`\n\n\`\`\`\n${SENTENCE}\n\`\`\`\n`],
  ["a paragraph below one line", `## Size\n\ntank.size\n\n${SENTENCE}\n`],
])("control: %s has no such label", async (_what, text) => {
  expect(await placeIn(text, "text/html", "https://tanks.example/")).toEqual({ section: ["Size"] });
});

test("a definition has its term, and an item whose term is a bullet has none", async () => {
  const defined = (term: string) => placeIn(`# Tank\n\n${term}\n: ${SENTENCE}\n`, "text/markdown", "corpus/tank.md");
  expect(await defined("--size")).toMatchObject({ section: ["Tank", "--size"] });
  expect(await defined("•")).toMatchObject({ section: ["Tank"] });
});
