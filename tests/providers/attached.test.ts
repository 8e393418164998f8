// Documents that somebody brings are read as files and pages, under a name that does not tell their folder.
import { describe, expect, test } from "bun:test";
import { readAttached } from "../../src/providers/attached.ts";
import type { AttachedSource } from "../../src/ports/provider.ts";
import { NO_ABORT } from "./web/loopback.ts";

type Given = Omit<AttachedSource, "bytes"> & { text: string | Uint8Array };

async function brought({ text, ...given }: Given) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const outcome = await readAttached({ ...given, bytes }, NO_ABORT);
  if (outcome.kind === "gone") return outcome.reason;
  const { document } = outcome;
  return { ...document, bytes: document.bytes.byteLength, text: new TextDecoder().decode(document.text) };
}

const PAGE = "<!doctype html><title>Leases</title><h1>Leases</h1><p>A lease is a right that ends.</p>";

describe("a file", () => {
  test("is a text with its own bytes and its first heading as title", async () => {
    const text = "# Leases\n\nA lease ends.\n";
    expect(await brought({ name: "leases.md", text })).toEqual({
      origin: "leases.md",
      title: "Leases",
      media_type: "text/markdown",
      bytes: text.length,
      text,
      textFrom: { text_from: "bytes" },
    });
  });

  test("is read by the ending of its name", async () => {
    const read = await brought({ name: "leases.html", text: PAGE });
    expect(read).toMatchObject({ title: "Leases", media_type: "text/html", textFrom: { text_from: "extracted" } });
    expect(read).toHaveProperty("text", expect.stringContaining("A lease is a right that ends."));
  });

  test.each([
    ["/home/someone/secret place/leases.txt", "leases.txt"],
    ["../../leases.txt", "leases.txt"],
    ["C:\\Users\\someone\\leases.txt", "leases.txt"],
  ])("keeps nothing of where it lay: %s", async (name, origin) => {
    expect(await brought({ name, text: "A lease ends." })).toMatchObject({ origin, title: origin });
  });

  test("may be given another title", async () => {
    expect(await brought({ name: "a.txt", text: "A lease ends.", title: "On  leases" })).toMatchObject({
      title: "On leases",
    });
  });

  test("loses one sign to one bad byte, and says so", async () => {
    expect(await brought({ name: "a.txt", text: Uint8Array.from([0x61, 0xff]) })).toMatchObject({
      text: "a\ufffd",
      textFrom: { text_from: "decoded", charset: "utf-8", replaced_bytes: 1 },
    });
  });

  test.each<[string, Given]>([
    ["binary", { name: "a.txt", text: "a\0b" }],
    ["empty", { name: "a.txt", text: " \n" }],
    ["too large", { name: "a.txt", text: new Uint8Array(8 * 1024 * 1024 + 1).fill(0x61) }],
    ["damaged", { name: "a.pdf", text: "no PDF" }],
    ["no name", { name: "a/", text: "A lease ends." }],
  ])("that cannot be read is gone, with the reason: %s", async (reason, given) => {
    expect(await brought(given)).toContain(reason);
  });
});

describe("a page", () => {
  test("is named by its URL without credentials", async () => {
    const read = await brought({ name: "https://someone:secret@example.org/leases#right", text: PAGE });
    expect(read).toMatchObject({ origin: "https://example.org/leases", title: "Leases", media_type: "text/html" });
    expect(read).toHaveProperty("text", expect.stringContaining("A lease is a right that ends."));
  });

  test("has the given type, else that of its URL, else that of its first bytes", async () => {
    const typeOf = async (given: Omit<Given, "text">) => {
      const read = await brought({ ...given, text: "A lease ends." });
      return typeof read === "string" ? read : read.media_type;
    };
    expect(await typeOf({ name: "https://example.org/a", media_type: "Text/Markdown; charset=utf-8" })).toBe(
      "text/markdown",
    );
    expect(await typeOf({ name: "https://example.org/a.md?b=1" })).toBe("text/markdown");
    expect(await typeOf({ name: "https://example.org/a" })).toBe("text/plain");
    expect(await typeOf({ name: "https://example.org/a", media_type: "image/png" })).toBe("image/png cannot be read");
  });
});
