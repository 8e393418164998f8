// Passages of fetched documents are ranked.
import { describe, expect, test } from "bun:test";
import { DocumentCache, fetchedDocument, readDocument } from "../../src/providers/documents.ts";
import { rankDocuments } from "../../src/providers/rank-documents.ts";

function documentOf(origin: string, text: string, media_type = "text/markdown", title = "") {
  const bytes = new TextEncoder().encode(text);
  return readDocument({ origin, title, media_type, bytes, text, textFrom: { text_from: "bytes" } });
}

describe("ranking", () => {
  test("offsets are bytes of the text, even behind characters of several bytes", async () => {
    const text = "# Größe 🦊\n\nÄpfel für alle.\n\n# Zweites\n\nEin Fuchs frißt Äpfel 🍎 gern.\n";
    for (const document of [documentOf("a", text), documentOf("b", `${text}\ud800`)]) {
      const passages = await rankDocuments([document], "Fuchs", 5);
      expect(passages).toHaveLength(1);
      const { text: bytes } = fetchedDocument(document);
      for (const { start, end, text: found, title } of passages) {
        expect(new TextDecoder().decode(bytes.subarray(start, end))).toBe(found);
        expect(title).toBe("Zweites");
      }
    }
  });

  test("rare words weigh more than common ones, and passages without any are left out", async () => {
    const documents = [
      documentOf("common", "A system has a part.\n\n# B\n\nA system again.\n\n# C\n\nA system once more."),
      documentOf("rare", "The quokka of the system."),
      documentOf("other", "Nothing of it."),
    ];
    const origins = (await rankDocuments(documents, "quokka system", 10)).map(({ origin }) => origin);
    expect(origins[0]).toBe("rare");
    expect(origins).not.toContain("other");
    expect(await rankDocuments(documents, "the of", 10)).toEqual([]);
    expect(await rankDocuments([], "quokka", 10)).toEqual([]);
  });

  test("one document does not fill all places", async () => {
    const long = Array.from({ length: 20 }, (_, index) => `# Lease ${index}\n\nA lease of a lease.`).join("\n\n");
    const documents = [documentOf("long", long), documentOf("short", "One lease.")];
    const origins = (await rankDocuments(documents, "lease", 5)).map(({ origin }) => origin);
    expect(origins).toContain("short");
    expect(origins).toHaveLength(5);
  });

  test("a page is read up to a length in whole characters, and timers run meanwhile", async () => {
    // The limit is in the middle of the character.
    const endless = `${"a ".repeat(2 * 1024 * 1024 - 4)}\nlease 🦊 lease`;
    let ranked = 0;
    const documents = Array.from({ length: 3 }, (_, index) => ({
      ...documentOf(`d${index}`, endless),
      get title() {
        ranked = index;
        return "";
      },
    }));
    const seen = new Set<number>();
    const timer = setInterval(() => seen.add(ranked), 0);
    const passages = await rankDocuments(documents, "lease", 9);
    clearInterval(timer);
    expect(passages.map(({ text }) => text.trim().split(/\s+/).at(-1))).toEqual(Array(3).fill("lease"));
    expect(seen.size).toBeGreaterThan(1);
  });

  test("the title decides between passages that are equal otherwise", async () => {
    const documents = [
      documentOf("a", "A lease ends.", "text/plain", "Of boats"),
      documentOf("b", "A lease ends.", "text/plain", "Of a lease"),
    ];
    const [best] = await rankDocuments(documents, "lease", 1);
    expect(best?.origin).toBe("b");
  });
});

test("the cache of documents drops the one that was used longest ago", () => {
  const cache = new DocumentCache(100);
  for (const origin of ["a", "b"]) cache.keep(documentOf(origin, "x".repeat(15)));
  cache.get("a");
  cache.keep(documentOf("c", "x".repeat(15)));
  expect(["a", "b", "c"].filter((origin) => cache.get(origin) !== undefined)).toEqual(["a", "c"]);
  cache.keep(documentOf("d", "x".repeat(200)));
  expect(cache.get("d")).toBeUndefined();
});
