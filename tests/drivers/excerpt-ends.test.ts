// An excerpt ends with its last sentence, not with the name of what is cut off behind it.
import { expect, test } from "bun:test";
import { answerOf, reportOf } from "./local-run.ts";

const BEFORE = `The pump of the mill is greased each spring, when the brook is high. ${"The miller looks after the wheel. ".repeat(24)}`;
const BEHIND = "Whoever opens the gate has to close it again. ".repeat(24);
const OTHERS = { "a.md": "# Bread\n\nRye needs sourdough.\n", "b.md": "# Honey\n\nBees dance on the comb.\n" };

async function endOf(name: string, behind = BEHIND): Promise<string> {
  const text = `# Mill\n\n${BEFORE}\n\n${name}\n\n${behind}\n`;
  const [answer = ""] = answerOf(
    await reportOf({ "mill.md": text, ...OTHERS }, "When is the pump of the mill greased?"),
  );
  return answer.trimEnd().slice(-30);
}

test("the name of a remark whose words are cut off is left out", async () => {
  expect(await endOf("Note")).toEndWith("looks after the wheel.");
  expect(await endOf("Bitte beachten")).toEndWith("looks after the wheel.");
  expect(await endOf("1. Open the gate.\n\n    Note", `    ${BEHIND}`)).toEndWith("1. Open the gate.");
});

test("control: a sentence, a longer line and the last line of a part stay", async () => {
  expect(await endOf("Note it.")).toEndWith("Note it.");
  expect(await endOf("Figure 3: the old gate")).toEndWith("Figure 3: the old gate");
  expect(await endOf("Note", "## Gate\n\nIt is shut.")).toEndWith("Note");
});
