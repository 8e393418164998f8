// Regressions of the local driver over small corpora of our own words. Rules were written with these questions in view: what
// they say of other documents stands in docs/local-driver.md.
import { describe, expect, test } from "bun:test";
import { TemporaryFolder } from "../corpus/temporary-folder.ts";
import { REGRESSION_CORPORA, type RegressionQuestion } from "./regression-questions.ts";
import { answerOf, excerptsOf, openFolder, runLocally } from "./local-run.ts";

/** Shares of all questions, a little below what was measured: 0.86 and 0.91. */
const MIN_SHOWN_FIRST = 0.8;
const MIN_REFUSED = 0.85;

interface Outcome extends RegressionQuestion {
  answers: string[];
  /** What stands first, as an answer or as the nearest passage. */
  first: string;
}

async function outcomesOf(isWanted: (question: RegressionQuestion) => boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { files, questions } of REGRESSION_CORPORA) {
    using folder = new TemporaryFolder(files);
    const provider = await openFolder(folder.path);
    for (const asked of questions.filter(isWanted)) {
      const run = await runLocally(provider, asked.question);
      const answers = answerOf(run);
      outcomes.push({ ...asked, answers, first: answers[0] ?? excerptsOf(run, "nearest")[0] ?? "" });
    }
    provider.close();
  }
  return outcomes;
}

describe("judged questions in three languages", () => {
  test("what the documents answer stands first", async () => {
    const outcomes = await outcomesOf(({ answer }) => answer !== null);
    const wrong = outcomes.filter(({ answer, first }) => !first.includes(answer ?? ""));
    expect(1 - wrong.length / outcomes.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(MIN_SHOWN_FIRST);
  });

  test("what they do not answer is called no answer", async () => {
    const outcomes = await outcomesOf(({ answer }) => answer === null);
    const wrong = outcomes.filter(({ answers }) => answers.length > 0);
    expect(1 - wrong.length / outcomes.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(MIN_REFUSED);
  });
});

test("there are enough questions of both kinds", () => {
  const all = REGRESSION_CORPORA.flatMap(({ questions }) => questions);
  expect(all.filter(({ answer }) => answer !== null).length).toBeGreaterThanOrEqual(20);
  expect(all.filter(({ answer }) => answer === null).length).toBeGreaterThanOrEqual(15);
});
