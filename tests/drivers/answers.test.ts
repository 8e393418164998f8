// Whether the local driver answers what can be answered, in the right sentence, and nothing else: over judged questions.
import { describe, expect, test } from "bun:test";
import { claimsOf } from "../../src/run/report.ts";
import { TemporaryFolder } from "../corpus/temporary-folder.ts";
import { JUDGED_CORPORA, type JudgedQuestion } from "./judged-questions.ts";
import { openFolder, runLocally } from "./local-run.ts";

const MIN_ANSWERED = 0.9;

interface Outcome extends JudgedQuestion {
  /** What stands up front. */
  answers: string[];
  claims: string[];
  nearest: number;
}

async function outcomesOf(files: Record<string, string>, questions: readonly JudgedQuestion[]): Promise<Outcome[]> {
  using folder = new TemporaryFolder(files);
  const provider = await openFolder(folder.path);
  const outcomes: Outcome[] = [];
  for (const judged of questions) {
    const { draft, findings } = await runLocally(provider, judged.question);
    const answer = draft.sections.find(({ role }) => role === "answer")?.claims ?? [];
    outcomes.push({
      ...judged,
      answers: answer.map(({ text }) => text),
      claims: claimsOf(draft).map(({ text }) => text),
      nearest: findings.flatMap((found) => found.nearest ?? []).length,
    });
  }
  provider.close();
  return outcomes;
}

describe.each(JUDGED_CORPORA.map((corpus) => [corpus.language, corpus] as const))("%s", (_, { files, questions }) => {
  test("what the documents answer is answered up front, in the right sentence", async () => {
    const answerable = questions.filter(({ answer }) => answer !== null);
    const wrong = (await outcomesOf(files, answerable)).filter(
      ({ answer, answers }) => !answers.some((text) => text.includes(answer ?? "")),
    );
    expect(wrong.length / answerable.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(1 - MIN_ANSWERED);
  });

  test("what the documents do not answer gets no quote", async () => {
    const outcomes = await outcomesOf(
      files,
      questions.filter(({ answer }) => answer === null),
    );
    expect(outcomes.filter(({ claims }) => claims.length > 0)).toEqual([]);
    // Some share a word with the documents: then it is said what is nearest.
    expect(outcomes.some(({ nearest }) => nearest > 0)).toBe(true);
  });
});

test("there are enough questions of both kinds", () => {
  const all = JUDGED_CORPORA.flatMap(({ questions }) => questions);
  expect(all.filter(({ answer }) => answer !== null).length).toBeGreaterThanOrEqual(20);
  expect(all.filter(({ answer }) => answer === null).length).toBeGreaterThanOrEqual(15);
});
