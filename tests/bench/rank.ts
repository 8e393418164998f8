// Measures the step that ranks: here with a scripted ranker over documents of ours, and by hand with any model over the hold-out:
//
//     bun tests/bench/rank.ts --model compatible:qwen3 --base-url http://127.0.0.1:11434/v1 [collection...]
//     bun tests/bench/rank.ts --endpoint http://127.0.0.1:8080 [--model NAME] [collection...]
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { openingOnce } from "../../src/operations/make/open-once.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RankGates } from "../../src/ports/rank-gates.ts";
import type { Report } from "../../src/run/report/report.ts";
import { parseModel } from "../../src/run/model/model.ts";
import { rerankModel, type RankGate } from "../../src/run/settings/rank.ts";
import { makePorts } from "../../src/wiring.ts";
import { memoryLog } from "../conformance/memory-log.ts";
import { ranksBy } from "../drivers/ranking/scripted-ranker.ts";
import { portModels } from "../live/port-models.ts";
import { says } from "../models/answers.ts";
import { reportOn, type How } from "./answers/ask.ts";
import { COLLECTIONS } from "./answers/collections.ts";
import { askedOf } from "./answers/figures.ts";
import { shownUnder } from "./answers/shown.ts";
import { tableOfMeasures } from "./answers/tables.ts";
import type { Figure } from "./bench.ts";
import { benchFolder } from "./fixtures.ts";
import { JUDGED_DOCUMENTS, JUDGED_QUESTIONS } from "./judged-documents.ts";

const MODEL = { provider: "compatible", name: "scripted", base_url: "http://127.0.0.1:1/v1" } as const;
const RANKED = { rank: "model", models: { default: MODEL } } as const;
/** What no document of ours says. */
const UNANSWERABLE = [
  "How tall is the tower of the cathedral?",
  "Which spice colours the soup?",
  "Wer malte das Bild?",
];

/** The scripted ranker knows the right documents: what it is not shown it cannot put first, so this measures the step around it. */
export async function rank(): Promise<Figure[]> {
  const folder = benchFolder();
  for (const [name, body] of Object.entries(JUDGED_DOCUMENTS)) fs.writeFileSync(path.join(folder, `${name}.txt`), body);
  const given = makePorts({ indexFolder: null, cliInvocation: "deep-research" });
  const best = JUDGED_QUESTIONS.map(({ question, grades }) => ({
    question,
    right: Object.keys(grades).filter((name) => grades[name] === Math.max(...Object.values(grades))),
  }));
  const script = (request: Parameters<ReturnType<typeof ranksBy>>[0]) => {
    const user = (request.body as { messages: { role: string; content: string }[] }).messages.at(-1)?.content ?? "";
    const right = best.find(({ question }) => user.includes(question))?.right ?? [];
    const line = user.split("\n").find((one) => right.some((name) => one.includes(`${name}.txt |`)));
    const number = Number(/^\[(\d+)\]/.exec(line ?? "")?.[1] ?? 0);
    if (number === 0) return ranksBy("nothing of this")(request);
    return says(JSON.stringify({ order: [number], marks: [`${number}.1`], answers: "yes", look_for: "" }));
  };
  using ports = openingOnce({
    ...given,
    store: memoryLog(given),
    loadModels: async () => portModels(script),
    rankGates: rememberedGates(),
  });
  const [plain, ranked] = [await firstRight(ports, folder, best, {}), await firstRight(ports, folder, best, RANKED)];
  const reports = [];
  for (const question of UNANSWERABLE) reports.push(await reportOn(ports, folder, question, RANKED));
  const refused = reports.filter((report) => report === null || shownUnder(report, "answer").length === 0).length;
  return [
    {
      name: `the right document in front, of ${best.length} questions, with a scripted ranker`,
      value: `${ranked.toFixed(2)}, by the search alone ${plain.toFixed(2)}`,
      target: "no less than by the search alone",
      holds: ranked >= plain,
    },
    {
      name: "questions without an answer that get none",
      value: `${refused} of ${UNANSWERABLE.length}`,
      target: "all",
      holds: refused === UNANSWERABLE.length,
    },
  ];
}

async function firstRight(
  ports: Ports,
  folder: string,
  questions: readonly { question: string; right: readonly string[] }[],
  options: NonNullable<How["options"]>,
): Promise<number> {
  let count = 0;
  for (const { question, right } of questions) {
    const report = await reportOn(ports, folder, question, options);
    if (report !== null && isRightFirst(report, right)) count++;
  }
  return count / questions.length;
}

function isRightFirst(report: Report, right: readonly string[]): boolean {
  const [first] = shownUnder(report, "answer");
  return first !== undefined && right.some((name) => first.origin.endsWith(`/${name}.txt`));
}

/** A model is checked once, and not for each question. */
function rememberedGates(): RankGates & { known: Map<string, RankGate> } {
  const known = new Map<string, RankGate>();
  return { known, of: (key) => known.get(key) ?? null, note: (key, gate) => void known.set(key, gate) };
}

// --- by hand ------------------------------------------------------------------------------------------------------

async function measured(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { model: { type: "string" }, "base-url": { type: "string" }, endpoint: { type: "string" } },
    allowPositionals: true,
  });
  const collections = COLLECTIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const { model, endpoint, "base-url": baseUrl } = values;
  const rankGates = rememberedGates();
  const named = model === undefined ? {} : { model };
  const how: How =
    endpoint === undefined
      ? { ports: { rankGates }, options: { rank: "model", models: { default: parseModel(model ?? "", baseUrl) } } }
      : { ports: { reranker: rerankModel({ base_url: endpoint, ...named }) }, options: { rank: "endpoint" } };
  console.log(`by the search alone\n\n${tableOfMeasures(await askedOf(collections))}\n`);
  console.log(`ranked\n\n${tableOfMeasures(await askedOf(collections, how))}`);
  for (const { first, verdicts } of rankGates.known.values())
    console.log(`\ncheck of the model: ${first} of 8 first, ${verdicts} of 12 verdicts`);
}

if (import.meta.main) await measured();
