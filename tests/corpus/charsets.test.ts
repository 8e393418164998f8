// Text in any charset is read, or left out with the name of its charset; a bad byte costs one sign.
import { describe, expect, test } from "bun:test";
import { textOf } from "../../src/corpus/files/text.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { decodedBy } from "../../src/run/report/source.ts";
import { StoredText } from "../../src/drivers/local/stored-text.ts";
import { NO_ABORT, openAt, reasonsOf, TemporaryFolder } from "./temporary-folder.ts";

const GERMAN =
  "Die Mühle läuft täglich, und das Rad wird alle 900 Stunden geprüft. Größere Schäden meldet der Müller.\n";
const RUSSIAN = "Мельница работает каждый день, и колесо проверяют через каждые девятьсот часов.\n";
const CJK: Record<string, string> = {
  shift_jis: "この水車は毎日動き、車輪は九百時間ごとに点検されます。大きな損傷は係員に報告してください。",
  gb18030: "这座水车每天都在运转，轮子每九百小时检查一次。较大的损坏请向工作人员报告。",
  "euc-kr": "이 물레방아는 매일 돌아가며 바퀴는 구백 시간마다 점검합니다. 큰 손상은 직원에게 알려 주십시오.",
};

/** By the table of the decoder itself, turned round. */
function encoded(text: string, charset: string): Buffer {
  const codes = new Map<string, number[]>();
  for (let first = 0x80; first < 0x100; first++) {
    for (const bytes of [[first], ...Array.from({ length: 0xbf }, (_, at) => [first, 0x40 + at])]) {
      const sign = decodedBy(charset, Uint8Array.from(bytes));
      if (Array.from(sign).length === 1 && sign !== "\ufffd" && !codes.has(sign)) codes.set(sign, bytes);
    }
  }
  return Buffer.from(
    Array.from(text).flatMap((sign) => (sign < "\u0080" ? [sign.charCodeAt(0)] : (codes.get(sign) ?? [0x3f]))),
  );
}

const wide = (text: string, mark: string): Buffer => Buffer.from(mark + text, "utf16le");

describe("is read", () => {
  test.each([
    ["UTF-16 with a mark", wide(GERMAN, "\ufeff"), "utf-16le", GERMAN],
    ["UTF-16 the other way round", wide(GERMAN, "\ufeff").swap16(), "utf-16be", GERMAN],
    ["UTF-16 without a mark", wide(GERMAN, ""), "utf-16le", GERMAN],
    ["Western", encoded(GERMAN.repeat(3), "windows-1252"), "windows-1252", GERMAN.repeat(3)],
    ["Cyrillic", encoded(RUSSIAN.repeat(3), "windows-1251"), "windows-1251", RUSSIAN.repeat(3)],
    ["Cyrillic of Unix", encoded(RUSSIAN.repeat(3), "koi8-r"), "koi8-r", RUSSIAN.repeat(3)],
    ...Object.entries(CJK).map(([charset, text]) => [charset, encoded(text, charset), charset, text] as const),
  ])("%s", (_, bytes, charset, text) => {
    expect(textOf(bytes)).toEqual({ kind: "text", text, charset });
  });

  test("UTF-8, also with bytes that are no text", () => {
    expect(textOf(Buffer.from(GERMAN))).toEqual({ kind: "text", text: GERMAN });
    const bad = Buffer.concat([Buffer.from(GERMAN), Buffer.from([0xfc]), Buffer.from(RUSSIAN)]);
    expect(textOf(bad)).toEqual({ kind: "text", text: `${GERMAN}\ufffd${RUSSIAN}`, charset: "utf-8", replaced: 1 });
  });
});

test("what cannot be told is left out, with the likely charset and what to do", () => {
  const few = textOf(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from("a\0\0\0b\0\0\0")]));
  expect(few).toMatchObject({
    kind: "skipped",
    reason: "not_utf8",
    detail: expect.stringContaining("iconv -f UTF-32"),
  });
  expect(textOf(Buffer.from([1, 0, 2, 3, 4, 5, 6, 0, 7])).kind).toBe("skipped");
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, at) => 0x80 + ((at * 37) % 127)));
  expect(textOf(noise).kind).toBe("skipped");
});

test("a document of a corpus comes with its charset, and no sentence that lost a byte is quoted", async () => {
  const bad = Buffer.concat([
    Buffer.from("Das Rad läuft. Die "),
    Buffer.from([0xfc]),
    Buffer.from("ble Mühle steht still. Der Müller schläft täglich.\n"),
  ]);
  using folder = new TemporaryFolder({
    "a.md": bad,
    "b.txt": wide(GERMAN, "\ufeff"),
    "c.csv": wide("rad;maß\nAlt;9\nNeu;8\n", "\ufeff"),
  });
  const corpus = await openAt(folder.path);
  expect(reasonsOf(corpus)).toEqual({});
  const [found] = await corpus.search("Müller Mühle", { limit: 5 }, NO_ABORT);
  expect(found).toBeDefined();
  const read = await corpus.read("a.md", digestOfBytes(bad), NO_ABORT);
  if (read.kind !== "document") throw new Error(read.kind);
  const { document } = read;
  expect(document.textFrom).toEqual({ text_from: "decoded", charset: "utf-8", replaced_bytes: 1 });
  const source = { media_type: "text/markdown", origin: "m/a.md", source_digest: digestOfBytes(bad) };
  const text = await StoredText.read(source as Parameters<typeof StoredText.read>[0], document.text, NO_ABORT);
  const whole = { start: 0, end: text.text.trimEnd().length };
  const sentences = text.sentencesIn(whole);
  expect(sentences.map((one) => text.slice(one))).toEqual(["Das Rad läuft.", "Der Müller schläft täglich."]);
  expect(sentences.map((one) => text.slice(text.undamaged(whole, [one])))).toEqual([
    "Das Rad läuft.",
    "Der Müller schläft täglich.",
  ]);
  corpus.close();
});

test("Python decodes the charsets of one byte to the same signs", async () => {
  const names = [1250, 1251, 1252, 1253, 1254, 1256, 1257]
    .map((one) => `windows-${one}`)
    .concat("iso-8859-2", "iso-8859-5", "iso-8859-7", "koi8-r");
  const check = await Bun.file(`${import.meta.dir}/../../docs/check-run.py`).text();
  const own = check.slice(check.indexOf("CODECS = "), check.indexOf("for digest, source in sources.items()"));
  const python = Bun.spawnSync([
    "python3",
    "-c",
    `import codecs, json\n${own}\nprint(json.dumps({n: decoded(bytes(range(256)), n) for n in CODECS if n.startswith(("windows", "iso", "koi"))}))`,
  ]);
  if (!python.success) return;
  const decoded = JSON.parse(python.stdout.toString()) as Record<string, string>;
  const all = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (const name of names) expect([name, decoded[name]]).toEqual([name, decodedBy(name, all)]);
}, 60_000);
