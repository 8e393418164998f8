// The bench of reports by itself: a writer that knows scores high, one that is wrong or says nothing scores low.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../cli/fake-host.ts";
import { rateLimited, type Script } from "../../models/answers.ts";
import { scriptedServer } from "../../models/scripted-server.ts";
import type { Cli } from "../kept-run.ts";
import { ask, type Asked } from "./ask.ts";
import { QUESTIONS } from "./questions.ts";
import { holds, type Question } from "./rubric.ts";
import { scripted, type Writer } from "./scripted-writers.ts";
import { scoreOf } from "./score.ts";
import { tableOf } from "./table.ts";

const HOLDFAST = ["keep_days keep_weeks default", "breaking default of keep_days", "last changed June 2030"];
const QUEUES = [
  "Pelican",
  "retention_hours ack disk",
  "Beacon fastest licence",
  "measurements platform team",
  "order service",
];

const CAPABLE: Record<string, Writer> = {
  retention: {
    searches: HOLDFAST,
    page(citing) {
      const [manual, changes, faq] = [citing("keep_weeks"), citing("Breaking"), citing("Last changed")];
      return `## Answer
Holdfast keeps snapshots for 30 days by default. [${manual}] To keep some for a year, set \`keep_months = 12\`. [${manual}]

## What else matters
Until 1.9 it was 14 days [${changes}], as the older list of questions still says [${faq}].
With 365 daily snapshots, the index of some 40 MB each costs more than most data. [${manual}]
A hold keeps a single snapshot, which is then never pruned. [${manual}]
`;
    },
  },
  familie: {
    searches: ["Familienkarte Erwachsene Kinder"],
    page(citing) {
      const prices = citing("Familienkarte");
      return `## Antwort
Nehmen Sie die Familienkarte: sie spart 11 €. [= 22 + 22 + 11 + 11 - 55; from ${prices}]
Einzeln kostet die Fahrt 66 €. [= 22 + 22 + 11 + 11; from ${prices}] Die Karte kostet 55 €. [${prices}]

## Bedingungen
Das Kind unter 6 Jahren fährt frei. [${prices}] Die Karte gilt nur am selben Tag und für eigene Kinder. [${prices}]
`;
    },
  },
  comparison: {
    searches: QUEUES,
    gaps: ["The licence of Pelican"],
    page(citing, ofGap) {
      const [pelican, durable] = [citing("go home on time"), citing("retention_hours")];
      const [beacon, measured, needs] = [
        citing("fastest queue"),
        citing("platform team"),
        citing("order service needs"),
      ];
      return `## Answer
Take Beacon, with \`disk\`. [from ${measured}, ${needs}]

| | Beacon | Pelican |
|---|---|---|
| Order | within a partition [${beacon}] | of one channel [${pelican}] |
| Retention | 72 hours [${durable}] | 7 days [${pelican}] |
| Speed without loss | 12,500 a second on a node [${measured}] | 9,000 a second [${pelican}] |
| Licence | Apache 2.0 [${beacon}] | – |

The licence of Pelican could not be found. [${ofGap("licence")}]
`;
    },
  },
};

const WRONG: Record<string, Writer> = {
  retention: {
    searches: HOLDFAST,
    page: (citing) => `## Answer\nSnapshots are kept for 14 days. [${citing("Last changed")}]\n`,
  },
  familie: {
    searches: ["Familienkarte Erwachsene Kinder"],
    page: (citing) =>
      `## Antwort\nEinzeln kostet es 77 €. [= 22 + 22 + 11 + 11 + 11; from ${citing("Familienkarte")}]\n`,
  },
  comparison: {
    searches: QUEUES,
    page: (citing) => `## Answer\nPelican comes under Apache 2.0. [${citing("fastest queue")}]\n`,
  },
};

const EMPTY: Writer = {
  searches: ["Holdfast", "Talbahn", "Beacon"],
  page: (citing) => `## Answer\nThis is written in the documents. [${citing("e")}]\n`,
};

const inProcess: Cli = async (argv) => {
  const { code, stdout } = await cli(argv);
  return { code, json: JSON.parse(stdout) as unknown };
};

async function measured(script: Script, questions: readonly Question[]): Promise<Asked[]> {
  const folder = mkdtempSync(join(tmpdir(), "deep-research-reports-"));
  try {
    await using server = await scriptedServer(script);
    const asked: Asked[] = [];
    for (const question of questions) asked.push(await askAt(server.baseUrl, folder, question));
    return asked;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function askAt(baseUrl: string, runsRoot: string, question: Question): Promise<Asked> {
  const model = ["--model", "compatible:scripted", "--model-base-url", baseUrl];
  const options = ["--mode", "quick", "--min-citation-use", "0", ...model];
  return await ask(question, { cli: inProcess, runsRoot, options, baseUrl });
}

const chosen = (id: string): Question => {
  const question = QUESTIONS.find((one) => one.id === id);
  if (question === undefined) throw new Error(`there is no question ${id}`);
  return question;
};

describe("a model is measured by its reports", () => {
  for (const id of Object.keys(CAPABLE)) {
    test(`a capable, a wrong and an empty writer: ${id}`, async () => {
      const fares = async (writer: Writer | undefined): Promise<Asked[]> =>
        await measured(scripted(writer ?? EMPTY), [chosen(id)]);
      const [capable] = await fares(CAPABLE[id]);
      const [wrong] = await fares(WRONG[id]);
      const [empty] = await fares(EMPTY);
      expect(capable).toMatchObject({ outcome: "report", score: { score: 1, wrong: 0, remarks: [] } });
      expect(wrong).toMatchObject({ outcome: "report", score: { score: 0, wrong: 1 } });
      expect(empty).toMatchObject({ outcome: "report", score: { score: 0, wrong: 0 } });
    });
  }
});

describe("a start that stopped", () => {
  test("tells of a limit that is for all, and the next one goes on with the same run", async () => {
    const folder = mkdtempSync(join(tmpdir(), "deep-research-reports-"));
    const question = chosen("retention");
    const writer = scripted(CAPABLE["retention"] ?? EMPTY);
    let isLimited = true;
    await using server = await scriptedServer((request) => (isLimited ? rateLimited("3600") : writer(request)));
    const first = await askAt(server.baseUrl, folder, question);
    expect(first).toMatchObject({ outcome: "stopped", isForAll: true, score: { score: 0 } });
    isLimited = false;
    const second = await askAt(server.baseUrl, folder, question);
    expect(second).toMatchObject({ outcome: "report", score: { score: 1 } });
    const { length } = server.requests;
    const third = await askAt(server.baseUrl, folder, question);
    expect(third).toEqual(second);
    expect(server.requests).toHaveLength(length);
    expect(readdirSync(folder)).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});

describe("rubrics", () => {
  const wanted = [["30", "thirty"], ["day"]];

  test.each([
    ["kept for 30 days", true],
    ["kept for **thirty**\ndays", true],
    ["kept for 30.00 days", true],
    ["kept for 1,430 days", false],
    ["kept for 30.5 days", false],
    ["kept for 300 days", false],
    ["30 birthdays", false],
  ])("%s: %p", (text, isThere) => {
    expect(holds(text, wanted)).toBe(isThere);
  });

  test("numbers are found in any spelling of their groups", () => {
    for (const text of ["12,500 a node", "12 500 a node", "12.500 a node", "12500 a node"])
      expect(holds(text, [["12500"]])).toBe(true);
  });

  test("twenty questions with different ids, over documents that are there, in four languages", () => {
    expect(QUESTIONS).toHaveLength(20);
    expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(20);
    for (const { corpus } of QUESTIONS) {
      const folder = join(import.meta.dir, "documents", corpus);
      const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      expect(texts.length).toBeGreaterThan(2);
    }
  });

  test("a question without a report stands in the table with nothing", () => {
    const score = scoreOf(null, chosen("roof"));
    const none: Asked = { id: "roof", outcome: "no_evidence", score, calls: 4, tokens: 900, costUsd: null, seconds: 2 };
    const row = "0 % | 0/6 | 0/1 | 0 | 0 | 0 | 4 | 900 | ? | 2.0 |";
    expect(tableOf([none]).split("\n").slice(2)).toEqual([`| roof (no_evidence) | ${row}`, `| all 1 | ${row}`]);
  });
});
