import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { localDriver } from "../../src/drivers/local.ts";
import type { Tasks, TaskTools } from "../../src/ports/driver.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { claimsOf, type Draft } from "../../src/run/report.ts";
import { planSchema, type Findings, type Plan } from "../../src/run/research.ts";
import { LIMITS_BY_MODE, type Limits } from "../../src/run/settings.ts";
import { isVerbatim } from "../../src/run/source.ts";
import { NO_ABORT, TemporaryFolder } from "../corpus/temporary-folder.ts";
import { bytesOf, openFolder, runLocally, StoredSources, toolsOver } from "./local-run.ts";

const LIMITS = LIMITS_BY_MODE.standard;
const OPTIONS_QUESTION = "What do these packages say about option parsing?";

const NO_TOOLS: TaskTools = {
  signal: NO_ABORT,
  say: () => {},
  resultLength: 24_000,
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
  async function planFor(question: string, changed: Partial<Limits> = {}): Promise<Plan> {
    const limits = { ...LIMITS, ...changed };
    return planSchema.parse(await localDriver.perform("plan", { question, mode: "standard", limits }, NO_TOOLS));
  }

  test("takes the question apart, with one contrarian and queries for all", async () => {
    const plan = await planFor("What do leases guarantee and how do they fail?");
    expect(plan.parts.map((part) => part.terms)).toEqual([
      ["leases", "guarantee"],
      ["fail", "leases", "guarantee"],
    ]);
    expect(plan.parts.map((part) => part.inherited)).toEqual([undefined, ["leases", "guarantee"]]);
    expect(plan.perspectives.map((perspective) => perspective.kind)).toEqual([
      "overview",
      "facet",
      "facet",
      "practice",
      "contrarian",
    ]);
  });

  test("keeps words together that are one part", async () => {
    expect((await planFor("How do parsers handle options and arguments?")).parts).toHaveLength(1);
    expect((await planFor("Compare reading large files and writing small files")).parts).toHaveLength(2);
  });

  test("says when a question has more parts than are looked for", async () => {
    const parts = ["wheel", "mill", "brook", "stone", "flour", "gate", "turbine"];
    const many = await planFor(parts.map((part) => `What is a ${part}?`).join(" "));
    expect(many.parts).toHaveLength(6);
    expect(many.notes?.[0]).toBe("Only the first 6 parts of the question were researched.");
    expect((await planFor("What is a wheel?")).notes).toEqual([]);
  });

  test("holds for any question and any limit", async () => {
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
      for (const max_perspectives of [1, 2, 3, 8]) {
        const { parts, perspectives } = await planFor(question, { max_perspectives });
        expect(parts.length).toBeGreaterThan(0);
        expect(perspectives.length).toBeLessThanOrEqual(max_perspectives);
        const ids = [...parts.map((part) => part.id), ...perspectives.map((perspective) => perspective.id)];
        expect(new Set(ids).size).toBe(ids.length);
        expect(perspectives.filter((perspective) => perspective.kind === "contrarian")).toHaveLength(1);
        for (const { queries, questions: asked, part_ids } of perspectives) {
          expect(queries.length).toBeGreaterThanOrEqual(2);
          expect(queries.length).toBeLessThanOrEqual(4);
          expect(asked.length).toBeGreaterThan(0);
          expect(part_ids.length).toBeGreaterThan(0);
        }
      }
    }
  });
});

test("a long question keeps what it is about, also at its end; a plan holds for very long words", async () => {
  const limits = LIMITS;
  const filler = "Given that we have been using this for some time and are rather happy with how it goes, ";
  const question = `${filler.repeat(4)}please explain how a turbocharger behaves`;
  const perform = async (text: string) =>
    planSchema.parse(await localDriver.perform("plan", { question: text, mode: "standard", limits }, NO_TOOLS));
  expect((await perform(question)).parts.flatMap((part) => part.terms)).toContain("turbocharger");
  const words = Array.from({ length: 20 }, (_, index) => `word${"s".repeat(index)}`);
  const [part] = (await perform(`What about ${words.join(" ")}`)).parts;
  // The short ones go, the order stays.
  expect(part?.terms.at(-1)).toBe(words.at(-1) ?? "");
  expect(part?.terms).toEqual(words.filter((word) => part?.terms.includes(word)));
  await perform(
    `ß${"x".repeat(400)} and ${"y".repeat(400)}? ${"z".repeat(400)}? ${"w".repeat(400)}? a${"v".repeat(400)}?`,
  );
});

describe("a whole run", () => {
  test("quotes sentences word for word, and only those on the subject", async () => {
    using folder = new TemporaryFolder(CORPUS);
    const run = await runLocally(await openFolder(folder.path), "When does a lock expire, and who owns the lock?");
    const claims = claimsOf(run.draft);
    expect(claims.length).toBeGreaterThanOrEqual(3);
    for (const claim of claims) {
      expect(claim).toMatchObject({ verdict: "supported", method: "verbatim" });
      expect(Object.values(CORPUS).some((text) => text.includes(claim.text))).toBe(true);
    }
    const text = claims.map((claim) => claim.text).join("\n");
    expect(text).toContain("A lock expires after its lease time has run out.");
    expect(text).not.toContain("penguins");
    expect(run.review).toEqual({ draft: 1, decision: "accept", directives: [] });
    expect(new Set(claims.map((claim) => claim.claim_id)).size).toBe(claims.length);
    expect(new Set(claims.map((claim) => claim.text)).size).toBe(claims.length);
  });

  test("the contrarian section speaks against", async () => {
    // With one objection more, both would stand in the answer.
    using folder = new TemporaryFolder({ ...CORPUS, "notes.txt": "Unrelated: penguins breed on ice.\n" });
    const { draft } = await runLocally(await openFolder(folder.path), "What does a lock do?");
    const section = draft.sections.find(({ title }) => title === "Limits and objections");
    expect(section?.role).toBe("perspective");
    expect(section?.claims.map((claim) => claim.text)).toContain(
      "A lock cannot protect a file on a network file system.",
    );
  });

  test("is the same to the byte each time, wherever the folder lies and in whatever order files were made", async () => {
    using one = new TemporaryFolder(CORPUS);
    using two = new TemporaryFolder(Object.fromEntries(Object.entries(CORPUS).reverse()));
    const question = "When does a lock expire, and what is the lease time?";
    const first = bytesOf(await runLocally(await openFolder(one.path), question));
    expect(bytesOf(await runLocally(await openFolder(one.path), question))).toBe(first);
    expect(bytesOf(await runLocally(await openFolder(two.path), question))).toBe(first);
  });

  test("what the second wave finds reaches the report", async () => {
    using folder = new TemporaryFolder({
      "a.md": "# Harbour fees\n\nHarbour fees are paid by the captain on the day of arrival.\n",
      "b.md": "# The coast\n\nIn winter the fees of the harbour are halved for every fishing boat.\n",
    });
    const provider = await openFolder(folder.path);
    const question = "What about the harbour fees?";
    // With one passage for each query wave 1 sees the first document only; a gap asks in other words.
    const narrow = { results_per_query: 1, max_perspectives: 2 };
    const run = await runLocally(provider, question, narrow);
    expect(run.pivot).toMatchObject({ decision: "wave2", gaps: [{ evidence: "weak" }], notes: [] });
    const added = run.findings.filter((finding) => finding.subject_kind === "gap").flatMap((finding) => finding.quotes);
    expect(added.map(({ text }) => text)).toEqual([
      "In winter the fees of the harbour are halved for every fishing boat.",
    ]);
    expect(claimsOf(run.draft).map((claim) => claim.text)).toContain(added[0]?.text ?? "");
    // The control: without the second wave it is not found, and the report says why.
    const shallow = await runLocally(provider, question, { ...narrow, max_depth: 1 });
    expect(claimsOf(shallow.draft)).toHaveLength(1);
    expect(shallow.draft.gaps[0]?.reason).toBe("Found 1 quote in 1 document.");
    expect(shallow.draft.notes).toContain(
      "No second search for 1 part of the question with little evidence (limit of one wave).",
    );
  });

  test("Japanese documents answer a Japanese question", async () => {
    using folder = new TemporaryFolder({
      "a.md": "# ロック\n\nロックは一つのプロセスに書き込みの権利を与える。有効期限が切れるとロックは解放される。\n",
      "b.md": "# 料理\n\n米を炊くには水と時間が必要である。\n",
    });
    const { draft } = await runLocally(await openFolder(folder.path), "ロックの有効期限が切れるとどうなりますか？");
    expect(claimsOf(draft).map((claim) => claim.text)).toContain("有効期限が切れるとロックは解放される。");
  });

  test("German documents answer each part of a German question", async () => {
    using folder = new TemporaryFolder({
      "heizung.md":
        "# Heizung\n\nWenn der Druck der Heizung unter ein Bar sinkt, füllt man am Hahn im Keller Wasser nach. " +
        "Die Pumpe der Heizung läuft in der Nacht langsamer als am Tag.\n\n" +
        "## Wartung\n\nDer Wärmetauscher wird einmal im Jahr vor dem Winter gereinigt.\n",
      "garten.md":
        "# Garten\n\nDie Rosen werden im März geschnitten, wenn der Frost vorbei ist und die Sonne scheint.\n",
      "locks.md": CORPUS["locks.md"],
    });
    const { plan, pivot, draft } = await runLocally(
      await openFolder(folder.path),
      "Was ist zu tun, wenn der Druck der Heizung sinkt, und wie oft wird der Wärmetauscher gereinigt?",
    );
    expect(plan.parts.map((part) => part.terms)).toEqual([
      ["druck", "heizung", "sinkt"],
      ["warmetauscher", "gereinigt"],
    ]);
    expect(pivot.parts.every((part) => part.quotes > 0)).toBe(true);
    const claimed = claimsOf(draft).map((claim) => claim.text);
    expect(claimed).toContain(
      "Wenn der Druck der Heizung unter ein Bar sinkt, füllt man am Hahn im Keller Wasser nach.",
    );
    expect(claimed).toContain("Der Wärmetauscher wird einmal im Jahr vor dem Winter gereinigt.");
    expect(claimed.join(" ")).not.toContain("Rosen");
  });

  test("one large licence file does not hide what the other documents say", async () => {
    const clause = "Lock, lease and owner: the lock, the lease and the expire clause are hereby licensed to the owner.";
    const licence = Array.from({ length: 300 }, (_, index) => `## Lock lease expire ${index}\n\n${clause}\n`).join(
      "\n",
    );
    // By its name it cannot be told; by its name it can.
    for (const name of ["eupl-all-languages.md", "COPYRIGHT", "docs/LICENSES_ALL.md"]) {
      using folder = new TemporaryFolder({ ...CORPUS, [name]: licence });
      const run = await runLocally(await openFolder(folder.path), "When does a lock lease expire?");
      expect(claimsOf(run.draft).map((claim) => claim.text)).toContain(
        "A lock expires after its lease time has run out.",
      );
      expect(run.draft.sources.map((source) => source.origin)).not.toContain(`docs/${name}`);
    }
  });

  test("what is found thinly is told apart from what is not found, and no part is both", async () => {
    using folder = new TemporaryFolder(CORPUS);
    const { draft } = await runLocally(
      await openFolder(folder.path),
      "Which lock protects a file on a network file system, and how do volcanoes erupt in Iceland?",
    );
    const evidenceOf = (text: string) =>
      draft.gaps.filter((gap) => gap.text.toLowerCase().includes(text)).map((gap) => gap.evidence);
    expect(evidenceOf("network file system")).toEqual(["weak"]);
    expect(evidenceOf("volcanoes")).toEqual(["none"]);
    expect(draft.gaps.every((gap) => (gap.evidence === "none") === /^(Nothing|No)\b/.test(gap.reason))).toBe(true);
  });

  test("limits hold", async () => {
    using folder = new TemporaryFolder(CORPUS);
    const limits = { max_quotes_per_subject: 2, max_sources_per_subject: 1, max_words_per_subject: 90, max_gaps: 0 };
    const { findings } = await runLocally(await openFolder(folder.path), "When does a lock expire?", limits);
    for (const finding of findings) {
      expect(finding.quotes.length).toBeLessThanOrEqual(2);
      expect(finding.sources.length).toBeLessThanOrEqual(1);
      expect(
        finding.quotes
          .map((quote) => quote.text)
          .join(" ")
          .split(/\s+/).length,
      ).toBeLessThanOrEqual(90);
    }
  });
});

describe("real readmes", () => {
  const folder = new TemporaryFolder();
  let provider: Provider;

  afterAll(() => folder[Symbol.dispose]());
  beforeAll(async () => {
    const root = path.join(import.meta.dir, "../../node_modules");
    for (const name of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (/(^|\/)readme\.md$/i.test(name)) folder.write(name, fs.readFileSync(path.join(root, name)));
    }
    provider = await openFolder(folder.path);
  });

  test("answer what they are about, from several sources", async () => {
    const { draft, review } = await runLocally(provider, OPTIONS_QUESTION);
    expect(claimsOf(draft).length).toBeGreaterThanOrEqual(8);
    expect(draft.sources.length).toBeGreaterThanOrEqual(3);
    expect(draft.sources.map((source) => source.number)).toEqual(draft.sources.map((_, index) => index + 1));
    expect(review.decision).toBe("accept");
  });

  test("hold nothing on what they are not about", async () => {
    const questions = [
      "How do penguins breed in Antarctica?",
      "What is the capital of France and how large is its population?",
      "How long should I cook rice?",
      "Who won the world cup in 1998?",
      "What is the boiling point of water at high altitude?",
      "Which vitamins does the human body need?",
    ];
    for (const question of questions) {
      const { findings, draft } = await runLocally(provider, question);
      expect(findings.flatMap((finding) => finding.quotes.map((quote) => quote.text))).toEqual([]);
      expect(claimsOf(draft)).toEqual([]);
      expect(draft.gaps.length).toBeGreaterThan(0);
    }
  });
});

describe("research, when the world changes under it", () => {
  async function findingsAfter(change: (folder: TemporaryFolder) => void): Promise<Findings> {
    using folder = new TemporaryFolder({ "locks.md": CORPUS["locks.md"], "leases.md": CORPUS["leases.md"] });
    const provider = await openFolder(folder.path);
    change(folder);
    const tools = toolsOver(provider);
    const input = { question: "When does a lock expire?", mode: "standard", limits: LIMITS } as const;
    const { parts, perspectives } = await localDriver.perform("plan", input, tools);
    const [perspective] = perspectives;
    if (perspective === undefined) throw new Error("no perspective");
    return await localDriver.perform("research", { ...input, perspective, parts }, tools);
  }

  test("a document that changed or is gone becomes a note, and the rest is quoted", async () => {
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
});

test("research quotes what stands in the stored text, where it stands there", async () => {
  using folder = new TemporaryFolder({ "locks.md": CORPUS["locks.md"] });
  const tools = toolsOver(await openFolder(folder.path));
  const input = { question: "When does a lock expire?", mode: "standard", limits: LIMITS } as const;
  const { parts, perspectives } = await localDriver.perform("plan", input, tools);
  const [perspective] = perspectives;
  if (perspective === undefined) throw new Error("no perspective");
  const storedAs = (stored: (text: Buffer) => Uint8Array): TaskTools => ({
    ...tools,
    async keep(passage) {
      const kept = await tools.keep(passage);
      return kept.kind === "kept" ? { ...kept, text: stored(Buffer.from(kept.text)) } : kept;
    },
  });
  const research = (chosen: TaskTools) => localDriver.perform("research", { ...input, perspective, parts }, chosen);
  const starts = async (chosen: TaskTools) => (await research(chosen)).quotes.map(({ start }) => start);
  const [start = -1] = await starts(tools);
  expect(start).toBeGreaterThan(0);
  const PREFIX = Buffer.from("Before.\n\n");
  expect(await starts(storedAs((text) => Buffer.concat([PREFIX, text])))).toContain(start + PREFIX.byteLength);
  // The whole text twice: the place that is nearest to where it was found.
  expect(await starts(storedAs((text) => Buffer.concat([text, PREFIX, text])))).toContain(start);
  expect(await research(storedAs(() => PREFIX))).toMatchObject({
    quotes: [],
    notes: ["docs/locks.md is not as it was indexed and was left out."],
  });
});

describe("check_citations", () => {
  const text = Buffer.from("Ein Schloß läuft ab.");
  const source_digest = `sha256:${"a".repeat(64)}` as const;
  const quote = { source_digest, start: 4, end: 12, text: "Schloß", score: 1, query: "q", part_ids: [] };
  const findings: Findings = {
    schema_version: "findings.v1",
    subject: "overview",
    subject_kind: "perspective",
    title: "Overview",
    questions: [],
    quotes: [{ ...quote, end: 11 }, quote, { ...quote, start: 5, end: 12 }],
    sources: [],
    notes: [],
  };

  async function verdicts(sourceText: TaskTools["sourceText"]): Promise<string[]> {
    const { citations } = await localDriver.perform(
      "check_citations",
      { subject: "overview", findings },
      { ...NO_TOOLS, sourceText },
    );
    return citations.map((citation) =>
      `${citation.citation_id} ${citation.found} ${citation.verdict} ${citation.reason ?? ""}`.trim(),
    );
  }

  test("tells what stands in the source from what does not, to the byte", async () => {
    expect(isVerbatim({ source_digest, start: 4, end: 11, text: "Schloß" }, text)).toBe(true);
    const missing = "false not_checked the quote does not stand in its stored source";
    expect(await verdicts(() => Promise.resolve(text))).toEqual([
      "overview-q1 true supported",
      `overview-q2 ${missing}`,
      `overview-q3 ${missing}`,
    ]);
  });

  test("a source that cannot be read is no verdict, whatever the reason", async () => {
    for (const error of [new RunError("MISSING_ARTIFACT", { reason: "no such file" }), new TypeError("bug")])
      expect(await verdicts(() => Promise.reject(error)).catch((thrown: unknown) => thrown)).toBe(error);
  });
});

describe("review and the next draft", () => {
  test("what review strikes out stays out of the next draft", async () => {
    using folder = new TemporaryFolder(CORPUS);
    const provider = await openFolder(folder.path);
    const stored = new StoredSources();
    const question = "When does a lock expire?";
    const run = await runLocally(provider, question);
    await Promise.all(
      run.findings
        .flatMap((finding) => finding.quotes)
        .map(async (quote) => {
          const [passage] = await provider.search(quote.text, 1, NO_ABORT);
          if (passage !== undefined) await toolsOver(provider, stored).keep(passage);
        }),
    );
    const [first, second] = claimsOf(run.draft);
    if (first === undefined || second === undefined) throw new Error("too few claims");
    const spoiled: Draft = {
      ...run.draft,
      sections: [
        {
          title: "Spoiled",
          claims: [
            first,
            { ...first, claim_id: "again" },
            { ...second, quotes: [] },
            { ...second, claim_id: "cut", text: "A lock that" },
          ],
        },
        { title: "Empty", claims: [] },
      ],
    };
    const input = {
      question,
      plan: run.plan,
      draft: spoiled,
      draft_number: 1,
      citations: run.citations,
      limits: LIMITS,
    };
    const review = await localDriver.perform("review", input, NO_TOOLS);
    expect(review.decision).toBe("revise");
    expect(review.directives.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
      "drop_duplicate again",
      `remove_claim ${second.claim_id}`,
      "remove_claim cut",
      "other Empty",
    ]);
    const draftInput: Tasks["draft"]["input"] = {
      question,
      limits: LIMITS,
      plan: run.plan,
      pivot: run.pivot,
      summaries: run.summaries,
      citations: run.citations,
      sources: [...stored.sources.values()],
      directives: review.directives,
      previous: spoiled,
    };
    const tools = toolsOver(provider, stored);
    const next = await localDriver.perform("draft", draftInput, tools);
    const turned = { ...draftInput, summaries: run.summaries.toReversed(), citations: run.citations.toReversed() };
    expect(await localDriver.perform("draft", turned, tools)).toEqual(next);
    const ids = claimsOf(next).map((claim) => claim.claim_id);
    expect(ids).toContain(first.claim_id);
    expect(ids).not.toContain(second.claim_id);
  });
});
