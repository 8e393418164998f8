// The child process that reads documents answers within limits, and never outlives its parent.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { BadFrame, frameBytes, FrameReader } from "../../../src/corpus/extract/frames.ts";
import { ExtractorPool } from "../../../src/corpus/extract/extractor-pool.ts";
import { Extractor, type Extraction, type ExtractorOptions } from "../../../src/corpus/extract/extractor.ts";
import { NO_ABORT, TemporaryFolder } from "../temporary-folder.ts";

const PAGE = Buffer.from("<p>Some words.</p>");
const TEXT: Extraction = { kind: "text", text: "Some words.\n" };

/** An extractor with a child of the test, which behaves as the document says. */
const PUPPET = `
import fs from "node:fs";
import { frameBytes, FrameReader } from ${JSON.stringify(path.resolve(import.meta.dir, "../../../src/corpus/extract/frames.ts"))};
const send = (head, body = new Uint8Array()) => frameBytes(head, body).forEach((piece) => fs.writeSync(1, piece));
const kept = [];
const reader = new FrameReader(1 << 20);
send({ kind: "ready" });
for await (const piece of Bun.stdin.stream()) {
  reader.add(piece);
  for (let frame = reader.next(); frame !== null; frame = reader.next()) {
    const order = Buffer.from(frame.body).toString();
    if (order === "hang") for (;;);
    if (order === "wait") await new Promise(() => setInterval(() => {}, 1_000));
    if (order === "die") process.kill(process.pid, "SIGSEGV");
    if (order === "killed") process.kill(process.pid, "SIGKILL");
    if (order === "eat") for (;;) kept.push(Buffer.alloc(16 << 20, 1));
    if (order === "babble") fs.writeSync(1, "this is no frame at all, but it is long enough");
    if (order === "lie") send({ kind: "unfit", reason: "no such reason" });
    if (order === "flood") fs.writeSync(1, Buffer.from([0, 0, 0, 2, 255, 255, 255, 255, 123, 125]));
    if (order === "pid") send({ kind: "text" }, Buffer.from(String(process.pid)));
    else if (order === "env") send({ kind: "text" }, Buffer.from(JSON.stringify([process.env, process.cwd()])));
    else send({ kind: "text" }, Buffer.from("Some words.\\n"));
  }
}
process.exit(0);
`;

function puppetIn(folder: TemporaryFolder, more: ExtractorOptions = {}): Extractor {
  folder.write("puppet.ts", PUPPET);
  return new Extractor(NO_ABORT, { command: [process.execPath, folder.at("puppet.ts")], ...more });
}

async function pidOf(extractor: Extractor): Promise<number> {
  const answer = await extractor.extract("html", Buffer.from("pid"));
  if (answer.kind !== "text") throw new Error(answer.kind);
  return Number(answer.text);
}

async function ends(pid: number): Promise<void> {
  while (fs.existsSync(`/proc/${pid}`) && !fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "))
    await Bun.sleep(10);
}

describe("the real child", () => {
  test("reads one document after the other in one process", async () => {
    using extractor = new Extractor(NO_ABORT);
    expect(await extractor.extract("html", PAGE)).toEqual(TEXT);
    expect(await extractor.extract("pdf", Buffer.from("no pdf"))).toEqual({ kind: "unfit", reason: "damaged" });
    expect(await extractor.extract("html", PAGE)).toEqual(TEXT);
  }, 600_000);

  test("lets timers of the parent run", async () => {
    using extractor = new Extractor(NO_ABORT);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const deep = `<body>${"<div>".repeat(50_000)}deep words`;
    expect(await extractor.extract("html", Buffer.from(deep))).toEqual({ kind: "text", text: "deep words\n" });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  }, 600_000);

  test("a document over its limit of memory is left out with the reason", async () => {
    using extractor = new Extractor(NO_ABORT, { memoryBytes: 250 * 1024 * 1024 });
    const greedy = Buffer.from(`<body>${"<".repeat(8_000_000)}`);
    expect(await extractor.extract("html", greedy)).toEqual({ kind: "unfit", reason: "too_much_memory" });
    expect(await extractor.extract("html", PAGE)).toEqual(TEXT);
  }, 600_000);
});

describe("a document that does harm", () => {
  const harms: Record<string, Extraction> = {
    hang: { kind: "unfit", reason: "took_too_long" },
    eat: { kind: "unfit", reason: "too_much_memory" },
    die: { kind: "unfit", reason: "reader_crashed" },
    babble: { kind: "unfit", reason: "reader_crashed" },
    lie: { kind: "unfit", reason: "reader_crashed" },
    flood: { kind: "unfit", reason: "reader_crashed" },
    killed: { kind: "failed", detail: "the reader of documents ended (SIGKILL)" },
  };
  for (const [order, outcome] of Object.entries(harms)) {
    test(`${order}: ${outcome.kind === "unfit" ? outcome.reason : outcome.kind}, and the next one is read`, async () => {
      using folder = new TemporaryFolder();
      const timeMs = order === "hang" ? 400 : 30_000;
      const limits = {
        timeMs: {
          html: timeMs,
          web_page: timeMs,
          pdf: timeMs,
          docx: timeMs,
          epub: timeMs,
          notebook: timeMs,
          manual: timeMs,
        },
        memoryBytes: 400 * 1024 * 1024,
      };
      using extractor = puppetIn(folder, limits);
      const first = await pidOf(extractor);
      expect(await extractor.extract("html", Buffer.from(order))).toEqual(outcome);
      await ends(first);
      const second = await pidOf(extractor);
      expect(second).not.toBe(first);
      expect(await extractor.extract("html", PAGE)).toEqual(TEXT);
    }, 600_000);
  }

  test("a child that waits is given more time than one that works, and not for ever", async () => {
    using folder = new TemporaryFolder();
    const timeMs = { html: 300, web_page: 300, pdf: 300, docx: 300, epub: 300, notebook: 300, manual: 300 };
    using extractor = puppetIn(folder, { timeMs });
    const began = performance.now();
    expect(await extractor.extract("html", Buffer.from("wait"))).toEqual({ kind: "unfit", reason: "took_too_long" });
    expect(performance.now() - began).toBeGreaterThan(2_900);
  }, 60_000);

  test("a child that cannot be started is a failure of the machine", async () => {
    using missing = new Extractor(NO_ABORT, { command: ["/no/such/program"] });
    expect((await missing.extract("html", PAGE)).kind).toBe("failed");
    using broken = new Extractor(NO_ABORT, { command: [process.execPath, "-e", "process.exit(3)"] });
    expect(await broken.extract("html", PAGE)).toEqual({
      kind: "failed",
      detail: "the reader of documents ended (exit 3)",
    });
  }, 600_000);
});

describe("the child and its surroundings", () => {
  test("an abort ends the child in the middle of its work", async () => {
    using folder = new TemporaryFolder();
    folder.write("puppet.ts", PUPPET);
    const stop = new AbortController();
    using extractor = new Extractor(stop.signal, { command: [process.execPath, folder.at("puppet.ts")] });
    const pid = await pidOf(extractor);
    const hanging = extractor.extract("html", Buffer.from("hang"));
    stop.abort("enough");
    expect(await hanging.catch((reason: unknown) => reason)).toBe("enough");
    await ends(pid);
  }, 600_000);

  test("an extractor that is ended in the middle of a document starts no further child", async () => {
    using folder = new TemporaryFolder();
    const extractor = puppetIn(folder, {
      timeMs: { html: 2_000, web_page: 2_000, pdf: 2_000, docx: 2_000, epub: 2_000, notebook: 2_000, manual: 2_000 },
    });
    const pid = await pidOf(extractor);
    const hanging = extractor.extract("html", Buffer.from("hang"));
    extractor[Symbol.dispose]();
    expect((await hanging).kind).toBe("failed");
    await ends(pid);
    expect((await extractor.extract("html", Buffer.from("pid"))).kind).toBe("failed");
  }, 600_000);

  test("a pool that is ended reads no document that still waits", async () => {
    const pool = new ExtractorPool(NO_ABORT);
    const waiting = Array.from({ length: pool.size * 3 }, () => pool.extract("html", PAGE));
    pool[Symbol.dispose]();
    waiting.push(pool.extract("html", PAGE));
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(waiting.map(() => "failed"));
  }, 600_000);

  test("the child of a killed parent ends, even in the middle of a document", async () => {
    using folder = new TemporaryFolder();
    const source = path.resolve(import.meta.dir, "../../../src/corpus/extract/extractor.ts");
    folder.write(
      "parent.ts",
      `import { Extractor } from ${JSON.stringify(source)};
       const extractor = new Extractor(new AbortController().signal);
       await extractor.extract("html", Buffer.from("<p>words</p>"));
       const children = await Bun.file("/proc/self/task/" + process.pid + "/children").text();
       const workOf = () => Number(require("node:fs").readFileSync("/proc/" + children.trim() + "/stat", "utf8").split(") ")[1].split(" ")[11]);
       const before = workOf();
       // The child needs more than this many ticks of its processor for the document.
       void extractor.extract("html", Buffer.from("<body>" + "<".repeat(8_000_000)));
       while (workOf() < before + 20) await Bun.sleep(5);
       console.log(children.trim());
       process.kill(process.pid, "SIGKILL");`,
    );
    const parent = Bun.spawn([process.execPath, folder.at("parent.ts")], { stdout: "pipe" });
    const child = Number((await new Response(parent.stdout).text()).trim());
    expect(child).toBeGreaterThan(0);
    await ends(child);
  }, 600_000);

  test("the child gets no variable of the environment and not the folder of the caller", async () => {
    using folder = new TemporaryFolder();
    process.env["DEEP_RESEARCH_TEST_SECRET"] = "secret";
    using extractor = puppetIn(folder);
    const answer = await extractor.extract("html", Buffer.from("env"));
    delete process.env["DEEP_RESEARCH_TEST_SECRET"];
    if (answer.kind !== "text") throw new Error(answer.kind);
    const [environment, cwd] = JSON.parse(answer.text) as [Record<string, string>, string];
    expect(environment["DEEP_RESEARCH_TEST_SECRET"]).toBeUndefined();
    expect(environment["HOME"]).toBeUndefined();
    expect(cwd).toBe("/");
  }, 600_000);
});

describe("frames", () => {
  test("are read whole, however the stream is cut", () => {
    const bytes = Buffer.concat([...frameBytes({ a: 1 }, Buffer.from("body")), ...frameBytes({}, new Uint8Array())]);
    for (const size of [1, 3, 7, 100]) {
      const reader = new FrameReader(100);
      const frames: unknown[] = [];
      for (let at = 0; at < bytes.byteLength; at += size) {
        reader.add(bytes.subarray(at, at + size));
        for (let frame = reader.next(); frame !== null; frame = reader.next()) {
          frames.push([frame.head, Buffer.from(frame.body).toString()]);
        }
      }
      expect(frames).toEqual([
        [{ a: 1 }, "body"],
        [{}, ""],
      ]);
    }
  });

  test("that are over their limit, or whose head is no JSON, are refused", () => {
    const reader = new FrameReader(3);
    reader.add(Buffer.concat(frameBytes({}, Buffer.from("body"))));
    expect(() => reader.next()).toThrow(BadFrame);
    const other = new FrameReader(3);
    other.add(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0x7b]));
    expect(() => other.next()).toThrow(BadFrame);
  });
});
