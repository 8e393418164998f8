// Tests of passages that only ask: what follows them is shown.
import { expect, test } from "bun:test";
import { answerOf, reportOf } from "./local-run.ts";

const FILLER = "Rain falls on the roof in autumn. Dogs bark at night. The road to the village is long.";
const REST = Array.from(
  { length: 12 },
  (_, at) => `${at + 2}. I know rule ${at}. ${FILLER} Why so?\n\nBecause it is.\n\n`,
);

test("a question in a list or a paragraph brings its answer", async () => {
  for (const text of [
    `# Kiln\n\n1. I know that damp bowls crack in the kiln. What do I do?\n\nDry them for nine days.\n\n${REST.join("")}`,
    `Kiln\n\nQ: Damp bowls crack in the kiln, what now?\n\nA: Dry them for nine days.\n\n${FILLER}\n`,
  ]) {
    const run = await reportOf({ "faq.md": text, "a.md": FILLER }, "What do I do when damp bowls crack in the kiln?");
    expect(answerOf(run)[0]).toContain("Dry them for nine days.");
  }
});
