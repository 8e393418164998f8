// The text of a document is read by its media type.
import { describe, expect, test } from "bun:test";
import { openDocumentTexts, textOfDocuments } from "../../src/providers/text-of-document.ts";
import type { ReadingKind } from "../../src/corpus/extract/extraction.ts";
import { NO_ABORT } from "./web/loopback.ts";

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A reader that notes the documents that it gets. */
function spy() {
  const seen: [ReadingKind, string][] = [];
  const extract = textOfDocuments(async (kind, bytes) => {
    seen.push([kind, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)]);
    return { kind: "text", text: "intro\n\n## **Bold** heading\n" };
  });
  return { seen, extract };
}

describe("texts", () => {
  test("are decoded by their mark, else as declared, else as UTF-8, else as windows-1252", async () => {
    const { extract } = spy();
    const textOf = async (bytes: Uint8Array, type: string) => {
      const outcome = await extract(bytes, type, NO_ABORT);
      return outcome.kind === "text" ? outcome.text : outcome.reason;
    };
    expect(await textOf(new TextEncoder().encode("\ufeffCafé"), "text/plain")).toBe("Café");
    expect(await textOf(latin("Caf\xe9"), "text/plain")).toBe("Café");
    expect(await textOf(latin("\xff\xfeC\0\xe9\0"), "text/plain")).toBe("Cé");
    expect(await textOf(latin("\xfe\xff\0C\0\xe9"), "text/plain")).toBe("Cé");
    expect(await textOf(latin("\xef\xbb\xbfCaf\xc3\xa9"), "text/plain; charset=iso-8859-1")).toBe("Café");
    expect(await textOf(latin("\xc4\xc1"), "text/plain; charset=koi8-r")).toBe("да");
    expect(await textOf(latin("Caf\xe9"), "text/markdown; charset=no-such")).toBe("Café");
    expect(await textOf(latin('{"a":1}'), "application/ld+json")).toBe('{"a":1}');
    expect(await textOf(latin(" \n--"), "text/plain")).toBe("it has no text");
    expect(await textOf(latin("MZ"), "application/x-msdownload")).toBe("application/x-msdownload cannot be read");
  });

  test("have their first heading as title", async () => {
    const { extract } = spy();
    const bytes = new TextEncoder().encode("intro\n# The *title*\n");
    expect(await extract(bytes, "text/markdown", NO_ABORT)).toMatchObject({ title: "The title" });
  });
});

describe("documents", () => {
  test("go to the reader by their kind, and the charset of the server goes before that of the page", async () => {
    const { extract, seen } = spy();
    expect(await extract(latin("<p>a"), "text/html", NO_ABORT)).toMatchObject({ title: "Bold heading" });
    await extract(latin('<meta charset="utf-8">Caf\xe9'), "text/html; charset=iso-8859-1", NO_ABORT);
    await extract(latin("%PDF"), "application/pdf", NO_ABORT);
    expect(seen).toEqual([
      ["web_page", "<p>a"],
      ["web_page", '\ufeff<meta charset="utf-8">Café'],
      ["pdf", "%PDF"],
    ]);
  });

  test("are read one at a time, and one that fails does not stop the next", async () => {
    let running = 0;
    let most = 0;
    const extract = textOfDocuments(async (_kind, bytes) => {
      most = Math.max(most, ++running);
      await Bun.sleep(5);
      running--;
      if (bytes[0] === 0) throw new Error("a bug");
      return bytes[0] === 1 ? { kind: "failed", detail: "no memory" } : { kind: "unfit", reason: "scanned" };
    });
    const outcomes = await Promise.allSettled(
      [0, 1, 2].map((first) => extract(Uint8Array.of(first), "application/pdf", NO_ABORT)),
    );
    expect(most).toBe(1);
    expect(outcomes).toMatchObject([
      { status: "rejected" },
      { value: { kind: "unfit", reason: "the reader of documents failed: no memory" } },
      { value: { kind: "unfit", reason: "scanned" } },
    ]);
  });

  test("are read by the reader of this program, with pages in any charset", async () => {
    const { extract, close } = openDocumentTexts();
    const sentence = "Ein Café ohne Pacht hat keine Gäste, und eine Pacht ohne Café hat keine Miete. ".repeat(5);
    const html = `<html><head><title>Pacht</title></head><body><article><h1>Pacht</h1><p>${sentence}</p></article></body></html>`;
    try {
      const outcome = await extract(latin(html), "text/html; charset=iso-8859-1", NO_ABORT);
      expect(outcome).toMatchObject({
        kind: "text",
        title: "Pacht",
        text: expect.stringContaining("Ein Café ohne Pacht"),
      });
      const broken = await extract(latin("%PDF-1.4 nothing"), "application/pdf", NO_ABORT);
      expect(broken).toMatchObject({ kind: "unfit", reason: expect.stringMatching(/ /) });
    } finally {
      close();
    }
  });
});
