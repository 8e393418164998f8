// Tests of the local driver in every task: its plan, its limits, changed documents, and equal results for equal inputs.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { RunError } from "../../src/kernel/errors.ts";
import { clausesOf } from "../../src/drivers/local/plan.ts";
import { localDriver } from "../../src/drivers/local.ts";
import type { TaskTools } from "../../src/ports/driver.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import { planSchema, type Findings, type Plan } from "../../src/run/report/research.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { isVerbatim } from "../../src/run/report/source.ts";
import { NO_ABORT, TemporaryFolder } from "../corpus/temporary-folder.ts";
import { answerOf, bytesOf, openFolder, reportOf, runLocally, toolsOver } from "./local/local-run.ts";

const LIMITS = LIMITS_BY_MODE.standard;

const NO_TOOLS: TaskTools = {
  signal: NO_ABORT,
  say: () => {},
  resultLength: 24_000,
  step: "a step",
  take: () => Promise.reject(new Error("nobody brings anything")),
  converse: () => Promise.reject(new Error("the local driver asks no model")),
  search: () => Promise.resolve([]),
  keep: () => Promise.resolve({ kind: "gone", reason: "none" }),
  sourceText: () => Promise.reject(new Error("none")),
};

const CORPUS = {
  "locks.md":
    "# Locks\n\nA lock gives one process the right to write. A lock expires after its lease time has run out.\n\n" +
    "## Limits\n\nA lock cannot protect a file on a network file system. However, a lock is cheap to take again.\n",
  "leases.md":
    "# Leases\n\nA lease is a lock that expires by itself when its owner dies. The lease time is renewed by a heartbeat.\n\n" +
    "- A lock file is written with the owner of the lock and its lease time.\n",
  "code.ts": "// A lock is released when the process that owns the lock exits.\nexport const lock = () => 1;\n",
  "notes.txt": "The owner of an expired lock must not write any more.\n\nUnrelated: penguins breed on ice.\n",
};

describe("plan", () => {
  async function planFor(question: string, tools: TaskTools = NO_TOOLS): Promise<Plan> {
    return planSchema.parse(await localDriver.perform("plan", { question, mode: "standard", limits: LIMITS }, tools));
  }

  test("makes a part of each sentence, and one with too few words inherits those of the sentence before", async () => {
    const plan = await planFor("What do leases guarantee? And how do they fail? Wie teuer ist das Rad?");
    expect(plan.parts.map(({ text, terms }) => [text, terms])).toEqual([
      ["What do leases guarantee?", ["leases", "guarantee"]],
      ["And how do they fail?", ["fail", "leases", "guarantee"]],
      ["Wie teuer ist das Rad?", ["teuer", "rad"]],
    ]);
    expect(plan.parts.map(({ inherited }) => inherited)).toEqual([undefined, ["leases", "guarantee"], undefined]);
    expect((await planFor("Who built the mill, and when was it built?")).parts).toHaveLength(1);
  });

  test("keeps http and https apart, though one looks like the plural of the other", async () => {
    const plan = await planFor("How do I redirect http to https?");
    expect(plan.parts[0]?.terms).toEqual(["redirect", "http", "https"]);
    // Control: of two forms of one word the first stays.
    expect((await planFor("Which option of all options counts?")).parts[0]?.terms).toEqual(["option", "counts"]);
  });

  describe("a sentence that asks for several things", () => {
    const MILL = {
      "wheel.md": "# Wheel\n\nThe wheel of the mill turns eight times a minute. It is made of oak.\n",
      "gate.md": "# Gate\n\nThe miller shuts the gate in the evening. Then the brook runs past the house.\n",
      "stone.md": "# Stone\n\nA stone grinds flour. It is cut anew every winter.\n",
    };

    async function textsOf(question: string): Promise<string[]> {
      using folder = new TemporaryFolder(MILL);
      const provider = await openFolder(folder.path);
      const plan = await planFor(question, toolsOver(provider));
      provider.close();
      return plan.parts.map(({ text }) => text);
    }

    test("is cut into its clauses when a search finds more for each of them", async () => {
      expect(await textsOf("How often does the wheel turn, and when does the miller shut the gate?")).toEqual([
        "How often does the wheel turn?",
        "And when does the miller shut the gate?",
      ]);
    });

    test("stays whole when one passage answers it, a clause has too few words, a comma is part of a number, or no words are counted", async () => {
      for (const question of [
        "When is the gate shut in the evening, and does the brook run past the house then?",
        "In the mill, how often does the wheel turn?",
      ])
        expect(await textsOf(question)).toEqual([question]);
      const withNumber = "How long does the mill take for 2,700 sacks of rye from the barn?";
      expect(clausesOf(withNumber)).toEqual([withNumber]);
      const uncounted = "How often does the wheel turn, and when does the miller shut the gate?";
      expect((await planFor(uncounted)).parts).toHaveLength(1);
    });
  });

  test("has one search for each part, in the words of the question", async () => {
    const plan = await planFor("What do leases guarantee? And how do they fail?");
    expect(plan.perspectives).toHaveLength(1);
    expect(plan.perspectives[0]?.queries).toEqual([
      "What do leases guarantee?",
      "And how do they fail? leases guarantee",
    ]);
    const asked: string[] = [];
    const search: TaskTools["search"] = async (query) => (asked.push(query), []);
    const [perspective] = plan.perspectives;
    if (perspective === undefined) throw new Error("the plan has no perspective");
    const input = { question: "", ...plan, perspective, limits: LIMITS };
    await localDriver.perform("research", input, { ...NO_TOOLS, search });
    expect(asked).toEqual(plan.perspectives[0]?.queries ?? []);
  });

  test("gives rare words more weight and words of the whole corpus none, and names the words that no passage has", async () => {
    const others = Array.from({ length: 20 }, (_, number) => `room${number}`);
    const names = ["wheel", "gate", "stone", "floor", "brook", ...others];
    using folder = new TemporaryFolder(
      Object.fromEntries(names.map((name) => [`${name}.md`, `# Mill\n\nThe ${name} of the mill. The gate is shut.\n`])),
    );
    const provider = await openFolder(folder.path);
    const plan = await planFor("How old is the brook by the gate of the mill?", toolsOver(provider));
    provider.close();
    const [part] = plan.parts;
    expect(part?.terms).toEqual(["old", "brook", "gate", "mill"]);
    expect(part?.absent).toEqual(["old"]);
    expect(part?.weights).toEqual([0.5, 1, 0, 0]);
  });

  test("notes when a question has more parts than the limit", async () => {
    const parts = ["wheel", "mill", "brook", "stone", "flour", "gate", "turbine"];
    const many = await planFor(parts.map((part) => `What is a ${part}?`).join(" "));
    expect(many.parts).toHaveLength(6);
    expect(many.notes).toEqual(["Only the first 6 parts of the question were looked for."]);
    expect((await planFor("What is a wheel?")).notes).toEqual([]);
  });

  test("is valid for any question", async () => {
    const questions = [
      "?",
      "to be or not to be",
      "オプションの解析とは何ですか？",
      "ما هو القفل؟",
      "a\0b\u0007c",
      "x ".repeat(8_000),
      "a;b;c;d;e;f;g;h;i",
      "Why? Why? Why?",
      "\u{1F600}",
    ];
    for (const question of questions) {
      const { parts, perspectives } = await planFor(question);
      expect(parts.length).toBeGreaterThan(0);
      expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
      expect(perspectives[0]?.queries.length).toBeGreaterThan(0);
    }
  });
});

describe("a run", () => {
  test("gives equal bytes for equal documents and questions, in any folder", async () => {
    const question = "When does a lock expire? And what is the lease time?";
    const first = bytesOf(await reportOf(CORPUS, question));
    expect(bytesOf(await reportOf(CORPUS, question))).toBe(first);
    expect(bytesOf(await reportOf(CORPUS, "When does a lock expire?"))).not.toBe(first);
  });

  test("quotes every excerpt byte for byte, with the marks inside", async () => {
    using folder = new TemporaryFolder({ ...CORPUS, "schloß.md": "# Schlösser\n\nEin Schloß: a lock läuft ab.\n" });
    const provider = await openFolder(folder.path);
    const { findings, draft, review } = await runLocally(provider, "When does a lock expire?");
    const texts = new Map(
      ["locks.md", "leases.md", "code.ts", "notes.txt", "schloß.md"].map((name) => [
        `docs/${name}`,
        fs.readFileSync(folder.at(name)),
      ]),
    );
    const origins = new Map(draft.sources.map(({ source_digest, origin }) => [source_digest, origin]));
    expect(claimsOf(draft).length).toBeGreaterThan(2);
    for (const { quotes, verdict, method } of claimsOf(draft)) {
      expect([verdict, method]).toEqual(["supported", "verbatim"]);
      for (const quote of quotes) {
        const bytes = texts.get(origins.get(quote.source_digest) ?? "");
        expect(bytes !== undefined && isVerbatim(quote, bytes)).toBe(true);
      }
    }
    for (const { start, end, marks = [] } of findings.flatMap(({ quotes }) => quotes)) {
      expect(marks.length).toBeGreaterThan(0);
      for (const mark of marks) expect(mark.start >= start && mark.end <= end && mark.start < mark.end).toBe(true);
    }
    expect(review.decision).toBe("accept");
  });

  test("keeps the limits, and notes each limit that left something out", async () => {
    const limits = { max_quotes_per_subject: 4, max_sources_per_subject: 1, max_words_per_subject: 90 };
    using folder = new TemporaryFolder(CORPUS);
    const provider = await openFolder(folder.path);
    for (const [changed, note] of [
      [limits, "limit of 1 sources"],
      [{ max_quotes_per_subject: 1 }, "limit of 1 quotes"],
      [{ max_quotes_per_subject: 3 }, "limit of 2 quotes for a part of the question"],
      [{ max_words_per_subject: 50 }, "limit of 50 words"],
    ] as const) {
      const { findings, draft } = await runLocally(provider, "When does a lock expire?", changed);
      for (const { quotes, sources } of findings) {
        const all = { ...LIMITS, ...changed };
        expect(quotes.length).toBeLessThanOrEqual(Math.ceil(all.max_quotes_per_subject / 2));
        expect(sources.length).toBeLessThanOrEqual(all.max_sources_per_subject);
        expect(quotes.flatMap(({ text }) => text.match(/\S+/g) ?? []).length).toBeLessThanOrEqual(
          all.max_words_per_subject,
        );
      }
      expect(draft.made.notes.join(" ")).toContain(note);
    }
    expect((await runLocally(provider, "When does a lock expire?")).draft.made.notes).toEqual([]);
    provider.close();
  });

  test("answers a Japanese question from Japanese documents, and a German one from German documents", async () => {
    const files = {
      "a.md": "# ロック\n\nロックは一つのプロセスに書き込みの権利を与える。有効期限が切れるとロックは解放される。\n",
      "b.md": "# 料理\n\n米を炊くには水と時間が必要である。\n",
      "heizung.md":
        "# Heizung\n\nSinkt der Druck der Heizung unter ein Bar, füllt man am Hahn im Keller Wasser nach.\n",
      "garten.md": "# Garten\n\nDie Rosen werden im März geschnitten, wenn der Frost vorbei ist.\n",
    };
    expect(answerOf(await reportOf(files, "ロックの有効期限が切れるとどうなりますか？"))[0]).toContain(
      "有効期限が切れるとロックは解放される。",
    );
    expect(answerOf(await reportOf(files, "Was ist zu tun, wenn der Druck der Heizung sinkt?"))[0]).toContain(
      "füllt man am Hahn",
    );
  });
});

describe("research over changed documents", () => {
  async function findingsAfter(change: (folder: TemporaryFolder) => void): Promise<Findings> {
    using folder = new TemporaryFolder({ "locks.md": CORPUS["locks.md"], "leases.md": CORPUS["leases.md"] });
    const provider = await openFolder(folder.path);
    change(folder);
    return await researchWith(toolsOver(provider));
  }

  test("notes a document that changed or is gone, and quotes the others", async () => {
    const changed = await findingsAfter((folder) =>
      folder.write("locks.md", "# Locks\n\nA lock does not expire at all, it is said.\n"),
    );
    expect(changed.notes).toEqual(["docs/locks.md changed since it was indexed and was left out."]);
    expect(changed.sources.map((source) => source.origin)).toEqual(["docs/leases.md"]);
    const gone = await findingsAfter((folder) => fs.rmSync(folder.at("locks.md")));
    expect(gone.notes).toEqual(["docs/locks.md could not be read and was left out: vanished while it was read."]);
    const calm = await findingsAfter(() => {});
    expect(calm.notes).toEqual([]);
    expect(calm.sources.map((source) => source.origin).sort()).toEqual(["docs/leases.md", "docs/locks.md"]);
  });

  test("quotes a passage at its place in the stored text", async () => {
    using folder = new TemporaryFolder({ "locks.md": CORPUS["locks.md"] });
    const tools = toolsOver(await openFolder(folder.path));
    const storedAs = (stored: (text: Buffer) => Uint8Array): TaskTools => ({
      ...tools,
      async keep(passage) {
        const kept = await tools.keep(passage);
        return kept.kind === "kept" ? { ...kept, text: stored(Buffer.from(kept.text)) } : kept;
      },
    });
    const startsIn = async (chosen: TaskTools) => (await researchWith(chosen)).quotes.map(({ start }) => start);
    const [start = -1] = await startsIn(tools);
    expect(start).toBeGreaterThan(0);
    const PREFIX = Buffer.from("Before.\n\n");
    expect(await startsIn(storedAs((text) => Buffer.concat([PREFIX, text])))).toContain(start + PREFIX.byteLength);
    // With the whole text twice, the place nearest to that of the search counts.
    expect(await startsIn(storedAs((text) => Buffer.concat([text, PREFIX, text])))).toContain(start);
    const other = await researchWith(storedAs(() => PREFIX));
    expect(other.quotes).toEqual([]);
    expect(other.notes).toContain("docs/locks.md is not as it was indexed and was left out.");
  });

  async function researchWith(tools: TaskTools): Promise<Findings> {
    const input = { question: "When does a lock expire?", mode: "standard", limits: LIMITS } as const;
    const { parts, perspectives } = await localDriver.perform("plan", input, tools);
    const [perspective] = perspectives;
    if (perspective === undefined) throw new Error("no perspective");
    return await localDriver.perform("research", { ...input, perspective, parts }, tools);
  }
});

describe("check_citations", () => {
  const text = Buffer.from("Ein Schloß läuft ab.");
  const source_digest = `sha256:${"a".repeat(64)}` as const;
  const quote = { source_digest, start: 4, end: 12, text: "Schloß", score: 1, query: "q", part_ids: ["p"] };
  const shown = { marks: [{ start: 4, end: 11 }], code: [{ start: 0, end: 11 }], coverage: 0.7, lacks: ["x"] };
  const findings: Findings = {
    schema_version: "findings.v1",
    subject: "overview",
    subject_kind: "perspective",
    title: "Overview",
    questions: [],
    quotes: [{ ...quote, ...shown, end: 11 }, quote, { ...quote, start: 5, end: 12 }],
    sources: [],
    notes: [],
  };
  const check = async (sourceText: TaskTools["sourceText"]) => {
    const tools = { ...NO_TOOLS, sourceText };
    return (
      await localDriver.perform("check_citations", { question: "", parts: [], subject: "overview", findings }, tools)
    ).citations;
  };

  test("finds quotes that stand in the source to the byte, and keeps their marks, code and coverage", async () => {
    const citations = await check(() => Promise.resolve(text));
    const missing = "false not_checked the quote is not in its stored source";
    expect(
      citations.map(({ citation_id, found, verdict, reason = "" }) =>
        `${citation_id} ${found} ${verdict} ${reason}`.trim(),
      ),
    ).toEqual(["overview-q1 true supported", `overview-q2 ${missing}`, `overview-q3 ${missing}`]);
    expect(citations[0]).toMatchObject({ ...shown, part_ids: ["p"] });
    expect(citations[1]).not.toHaveProperty("marks");
  });

  test("passes on the error of a source that cannot be read", async () => {
    for (const error of [new RunError("MISSING_ARTIFACT", { reason: "no such file" }), new TypeError("bug")])
      expect(await check(() => Promise.reject(error)).catch((thrown: unknown) => thrown)).toBe(error);
  });
});

test("judge_claims supports a claim that is its quote, and only then", async () => {
  using folder = new TemporaryFolder(CORPUS);
  const provider = await openFolder(folder.path);
  const { draft } = await runLocally(provider, "When does a lock expire?");
  const [claim] = claimsOf(draft);
  if (claim === undefined) throw new Error("no claim");
  const open = { ...claim, verdict: "not_checked" as const, reason: "unread" };
  const text = new Uint8Array(fs.readFileSync(folder.at(draft.sources[0]?.origin.replace("docs/", "") ?? "")));
  const judge = (claims: (typeof claim)[]) =>
    localDriver.perform("judge_claims", { claims, report: draft }, { ...NO_TOOLS, sourceText: async () => text });
  const { statement_id } = claim;
  expect(await judge([open])).toEqual([{ statement_id, verdict: "supported", method: "verbatim" }]);
  expect(await judge([{ ...open, text: "A lock is for ever." }])).toMatchObject([{ verdict: "not_checked" }]);
  provider.close();
});
