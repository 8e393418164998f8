// Tests of the tool `open_url` and the links that `open` shows: what is read, what is refused, and what is fetched once.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { linksOf, linksShownIn } from "../../../src/drivers/research/page-links.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import type { FetchOutcome, Provider } from "../../../src/ports/provider.ts";
import { asksFor, type Script } from "../../models/answers.ts";
import { LiveRun, type LiveOptions } from "../../live/live-run.ts";
import { ToolBench } from "./tool-bench.ts";
import { firstSentence, named, researchCalls, resultsOf, taskOf, wellBehaved } from "../../live/well-behaved.ts";

setDefaultTimeout(600_000);

const HTML = `<nav><a href="/menu">Menu</a></nav>
<p>The <a href="spec.html#part">specification of the cache</a> says more, as does <a href="https://other.test/paper">a paper</a>.
<a href="mailto:me@x.test">Mail</a> <a href="#top">The top</a> <a href="https://user:pw@x.test/">Login</a>
<a href="spec.html">specification of the cache</a></p>`;

async function linksIn(html: string, address = "https://site.test/docs/index.html") {
  return await linksOf(new TextEncoder().encode(html), address);
}

describe("the links of a page", () => {
  test("lead to addresses without fragments; mail, logins and the page itself are none", async () => {
    expect((await linksIn(HTML)).map(({ address }) => address)).toEqual([
      "https://site.test/menu",
      "https://site.test/docs/spec.html",
      "https://other.test/paper",
      "https://site.test/docs/spec.html",
    ]);
  });

  test("are told where their words are shown, each address once", async () => {
    const shown = "The *specification of the cache* says more, as does a paper.";
    expect(linksShownIn(shown, await linksIn(HTML))).toEqual([
      { text: "specification of the cache", address: "https://site.test/docs/spec.html" },
      { text: "a paper", address: "https://other.test/paper" },
    ]);
  });

  test("are counted from the base that the page names", async () => {
    const html = `<head><base href="/v2/"></head><a href="a">First</a>`;
    expect(await linksIn(html)).toEqual([{ text: "First", address: "https://site.test/v2/a" }]);
  });

  test("of a page with thousands are few", async () => {
    const links = await linksIn(Array.from({ length: 5_000 }, (_, at) => `<a href="/${at}">link ${at}</a>`).join(" "));
    expect(links).toHaveLength(2_000);
    expect(linksShownIn(links.map(({ text }) => text).join(" "), links)).toHaveLength(20);
  });
});

const START = "https://site.test/start";
const SPEC = "https://site.test/spec";
const PAGES = {
  [START]: `<p>The cache is described in <a href="/spec">the specification</a> and at https://site.test/paper.</p>`,
  [SPEC]: "<p>A lease of the cache ends after two minutes.</p>",
  "https://site.test/paper": "<p>Paper on caches.</p>",
  "https://site.test/hidden": "<p>Nobody names this.</p>",
};

describe("open_url", () => {
  test("reads an address that a page has shown; what it reads can be quoted, and is fetched once", async () => {
    const bench = new ToolBench({}, {}, PAGES);
    await bench.call("search", { query: "cache" });
    const { opened } = await bench.told<{ opened: { links: unknown[] } }>("open", { document: "d1" });
    expect(opened.links).toEqual([{ text: "the specification", address: SPEC }]);
    const read = await bench.told<{ opened: { document: string; document_text: string } }>("open_url", {
      address: SPEC,
    });
    expect(read.opened.document_text).toContain("two minutes");
    const text = "A lease of the cache ends after two minutes.";
    const quote = { document: read.opened.document, text, statement: "So.", part_ids: ["one"] };
    expect((await bench.call("quote", quote)).is_error).toBe(false);
    expect(await bench.told<typeof read>("open_url", { address: `${SPEC}#end` })).toEqual(read);
    expect(bench.kept.filter((address) => address === SPEC)).toHaveLength(1);
  });

  test("reads an address that stands in a text, or that a search has found", async () => {
    const bench = new ToolBench({}, {}, PAGES);
    await bench.call("search", { query: "cache" });
    await bench.call("open", { document: "d1" });
    for (const address of ["https://site.test/paper", START])
      expect((await bench.call("open_url", { address })).is_error).toBe(false);
  });

  test("refuses an address that no tool has shown", async () => {
    const bench = new ToolBench({}, {}, PAGES);
    await bench.call("search", { query: "cache" });
    await bench.call("open", { document: "d1" });
    for (const address of ["https://site.test/hidden", `${SPEC}?secret=1`, "file:///etc/passwd", "spec"]) {
      const answer = await bench.call("open_url", { address });
      expect([answer.is_error, answer.content]).toEqual([true, expect.stringContaining("No tool has shown")]);
      // Its own words in a refusal are not what a tool has shown.
      expect((await bench.call("open_url", { address })).is_error).toBe(true);
    }
    expect(bench.kept).not.toContain("https://site.test/hidden");
  });

  test("tells what cannot be read, and counts among the openings", async () => {
    const bench = new ToolBench(
      {},
      { max_quotes_per_subject: 1 },
      { [START]: `<p>See <a href="/gone">the cache</a></p>` },
    );
    await bench.call("search", { query: "cache" });
    await bench.call("open", { document: "d1" });
    const told = await bench.call("open_url", { address: "https://site.test/gone" });
    expect([told.is_error, told.content]).toEqual([true, expect.stringContaining("unreached")]);
    let last = told;
    for (let call = 0; call < 20; call++) last = await bench.call("open_url", { address: START });
    expect(last.content).toContain("No more searches and openings");
  });

  test("is missing when the run reads no pages, and no links are shown", async () => {
    const bench = new ToolBench({ "corpus/a.md": "The cache is described at https://site.test/spec." });
    await bench.call("search", { query: "cache" });
    expect(await bench.call("open_url", { address: SPEC }).catch(String)).toContain("no tool open_url");
  });
});

describe("a run over the web", () => {
  const opened: string[] = [];
  const page = (origin: string): FetchOutcome => {
    const [bytes, text] = [
      PAGES[origin as keyof typeof PAGES],
      PAGES[origin as keyof typeof PAGES].replace(/<[^>]*>/g, ""),
    ];
    const [stored, read] = [bytes, text].map((one) => new TextEncoder().encode(one)) as [Uint8Array, Uint8Array];
    const head = {
      origin,
      title: `About ${origin}`,
      media_type: "text/html",
      textFrom: { text_from: "extracted" },
    } as const;
    return { kind: "document", document: { ...head, bytes: stored, text: read } };
  };
  /** One page is found, whatever is asked. */
  const web: Provider = {
    id: "web",
    async search() {
      const text = PAGES[START].replace(/<[^>]*>/g, "");
      const document_digest = digestOfBytes(PAGES[START]);
      return [{ origin: START, title: "Start", document_digest, start: 0, end: text.length, text, score: 1 }];
    },
    fetch: async ({ origin }) => page(origin),
    async open(origin) {
      opened.push(origin);
      return page(origin);
    },
    close: () => undefined,
  };

  /** Opens the first link of what it opened, and quotes the page behind it. */
  const follows: Script = (request) => {
    const task = taskOf(request);
    if (task.who !== "research") return wellBehaved(request);
    const shown = resultsOf<{ document: string; document_text: string; links?: { address: string }[] }>(task, "opened");
    const [first, second] = shown;
    const address = first?.links?.[0]?.address;
    if (address !== undefined && second === undefined)
      return asksFor(named(task, [{ name: "open_url", arguments: { address } }]));
    const calls = researchCalls(task).filter(({ name, arguments: args }) => {
      const { document } = args as { document?: string };
      return name !== "quote" || second === undefined || document === second.document;
    });
    return asksFor(named(task, calls));
  };

  const OVER_WEB: LiveOptions = { corpora: [], providers: ["web"] };

  async function run(options: LiveOptions): Promise<{ live: LiveRun; tools: string[] }> {
    opened.length = 0;
    const live = await LiveRun.open({ script: follows, mode: "quick", ...options });
    if (options.providers !== undefined)
      live.ports = { ...live.ports, openCorpora: async () => ({ provider: web, reports: [] }) };
    expect((await live.start()).error).toBeNull();
    const asked = live.server.requests.map(taskOf).find(({ who }) => who === "research");
    return { live, tools: asked?.tools ?? [] };
  }

  test("follows links; what two researchers open is fetched once, and is a source of the run", async () => {
    const { live, tools } = await run(OVER_WEB);
    await using _ = live;
    expect(tools).toContain("open_url");
    expect(opened).toEqual([SPEC]);
    expect(live.report()).toContain(firstSentence("A lease of the cache ends after two minutes."));
    expect((await live.dataOf("source.stored")).map(({ source }) => source.origin)).toContain(SPEC);
  });

  test("does not follow links under a higher sensitivity, nor over folders", async () => {
    const restricted = await run({ ...OVER_WEB, sensitivity: "restricted" });
    const folders = await run({});
    await using _ = restricted.live;
    await using __ = folders.live;
    for (const { tools } of [restricted, folders]) expect(tools).not.toContain("open_url");
    expect(opened).toEqual([]);
  });
});
