// Tests that the local driver stays as good as it was on small corpora of our own. Its rules were written with these questions in
// view, so they measure nothing; docs/local-driver.md has measurements over other documents.
import { describe, expect, test } from "bun:test";
import { TemporaryFolder } from "../../corpus/temporary-folder.ts";
import { REGRESSION_CORPORA, type RegressionQuestion } from "./regression-questions.ts";
import { answerOf, excerptsOf, openFolder, runLocally } from "./local-run.ts";

/** Shares of all questions, a little below those that were reached. Of two words one is half, which answers and names the other. */
const MIN_SHOWN_FIRST = 0.8;
const MIN_REFUSED = 0.6;

interface Outcome extends RegressionQuestion {
  answers: string[];
  /** The first excerpt, of the answer or of the nearest passages. */
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
  test("have their answer as the first excerpt", async () => {
    const outcomes = await outcomesOf(({ answer }) => answer !== null);
    const wrong = outcomes.filter(({ answer, first }) => !first.includes(answer ?? ""));
    expect(1 - wrong.length / outcomes.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(MIN_SHOWN_FIRST);
  });

  test("have no answer when the documents do not answer them", async () => {
    const outcomes = await outcomesOf(({ answer }) => answer === null);
    const wrong = outcomes.filter(({ answers }) => answers.length > 0);
    expect(1 - wrong.length / outcomes.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(MIN_REFUSED);
  });
});

test("both kinds of questions are many enough", () => {
  const all = REGRESSION_CORPORA.flatMap(({ questions }) => questions);
  expect(all.filter(({ answer }) => answer !== null).length).toBeGreaterThanOrEqual(20);
  expect(all.filter(({ answer }) => answer === null).length).toBeGreaterThanOrEqual(15);
});
