// Text of every kind and charset goes through a run and verifies: how it came from its bytes is stored with it.
import { expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import http from "node:http";
import { digestOfBytes, hexOf } from "../../src/kernel/digest.ts";
import { isTextOf, sourceSchema, type Source } from "../../src/run/report/source.ts";
import { LivePlace } from "../cli/live-place.ts";
import { QUESTION } from "../simulation/run-world.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

const SENTENCE = "Command line options are parsed in the café, and errors in them are reported there.";
const latin = Buffer.from(SENTENCE, "latin1");
const utf8 = Buffer.from(SENTENCE);
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const page = (text: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from("<!doctype html><title>Options</title><article><p>"),
    text,
    Buffer.from("</p></article>"),
  ]);

const PAGES: { name: string; type: string; bytes: Buffer; from: Partial<Source> }[] = [
  {
    name: "HTML in Latin-1",
    type: "text/html; charset=iso-8859-1",
    bytes: page(latin),
    from: { text_from: "extracted" },
  },
  { name: "HTML in UTF-8", type: "text/html; charset=utf-8", bytes: page(utf8), from: { text_from: "extracted" } },
  { name: "text in Latin-1", type: "text/plain; charset=iso-8859-1", bytes: latin, from: decoded("windows-1252") },
  { name: "text that says nothing of itself", type: "text/plain", bytes: latin, from: decoded("windows-1252") },
  {
    name: "text in UTF-16 with a byte order mark",
    type: "text/plain; charset=utf-16",
    bytes: Buffer.from(`\ufeff${SENTENCE}`, "utf16le"),
    from: decoded("utf-16le"),
  },
  {
    name: "text with a byte order mark",
    type: "text/plain",
    bytes: Buffer.concat([MARK, utf8]),
    from: decoded("utf-8"),
  },
  { name: "plain text", type: "text/plain; charset=utf-8", bytes: utf8, from: { text_from: "bytes" } },
  { name: "Markdown in Latin-1", type: "text/markdown; charset=latin1", bytes: latin, from: decoded("windows-1252") },
  { name: "CSV", type: "text/csv", bytes: Buffer.from(`name,text\n1,"${SENTENCE}"\n`), from: { text_from: "bytes" } },
  {
    name: "JSON",
    type: "application/json",
    bytes: Buffer.from(JSON.stringify({ text: SENTENCE })),
    from: { text_from: "bytes" },
  },
];

function decoded(charset: string): Partial<Source> {
  return { text_from: "decoded", charset };
}

class Site implements AsyncDisposable {
  readonly #http: http.Server;

  private constructor(type: string, bytes: Buffer) {
    this.#http = http.createServer(({ url }, response) => {
      if (url === "/robots.txt") return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": type }).end(bytes);
    });
  }

  static async open(type: string, bytes: Buffer): Promise<Site> {
    const site = new Site(type, bytes);
    await new Promise<void>((resolve) => site.#http.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    const address = this.#http.address();
    return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/options` : "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }
}

for (const { name, type, bytes, from } of PAGES) {
  test(`a page of the web: ${name}`, async () => {
    await using site = await Site.open(type, bytes);
    await using place = await LivePlace.open();
    place.user({ providers: { web: { seeds: [site.url] } } });
    const start = ["start", QUESTION, "--run-id", "dr_live", "--mode", "quick", "--provider", "web", ...place.model];
    expect((await place.run(start)).code).toBe(0);
    const stored = `${place.runRoot}/sources/${hexOf(digestOfBytes(bytes))}`;
    expect(fs.readFileSync(`${stored}.txt`, "utf8")).toContain(SENTENCE);
    const source = sourceSchema.parse(JSON.parse(fs.readFileSync(`${stored}.json`, "utf8")));
    expect([source.text_from, source.charset]).toEqual([from.text_from, from.charset]);
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
    const other = new TextEncoder().encode("another text");
    expect(isTextOf(source, bytes, other)).toBe(from.text_from === "extracted");
  });
}
