// What is no source or leads no answer: reports of this tool, and entries of a list that describe a link.
import { expect, test } from "bun:test";
import { claimsOf } from "../../src/run/report.ts";
import { answerOf, reportOf } from "./local-run.ts";

const QUESTION = "What happens to a ferry in a storm?";
const REPORT = `# ${QUESTION}

2 claims from 1 source, each taken word for word from a source and checked against the stored bytes. Whether a source is right was not judged.

## Answer in quotes

- A ferry in a storm sinks with all its passengers. [1]
`;

test("a report of this tool is not quoted, and the page says so", async () => {
  const source = { "ferry.md": "# Ferries\n\nA ferry in a storm stays in the harbour.\n" };
  const page = `<html><head><title>${QUESTION}</title></head><body><main>${REPORT.split("\n\n")
    .map((line) => `<p>${line.replace(/^[#-]+ /, "")}</p>`)
    .join("\n")}</main></body></html>`;
  const run = await reportOf({ ...source, "report.md": REPORT, "report.html": page }, QUESTION);
  expect(claimsOf(run.draft).map(({ text }) => text)).toEqual(["A ferry in a storm stays in the harbour."]);
  expect(run.draft.notes?.join(" ")).toContain("report.md is a report of this tool and was left out.");
  expect(run.draft.notes?.join(" ")).toContain("report.html is a report of this tool and was left out.");
  // The control: the same sentences in a document.
  const document = await reportOf({ ...source, "b.md": REPORT.replace(/2 claims from.*\n/, "Notes.\n") }, QUESTION);
  expect(claimsOf(document.draft)).toHaveLength(2);
});

test("an entry that only describes a link leads no answer while anything else is found", async () => {
  const entry =
    "- [ferry.md](../docs/ferry.md): a ferry in a storm is what happens to be told by its captain in this long tale.";
  const files = { "a.md": `# Ferry in a storm\n\n${entry}\n` };
  const other = { "b.md": "# Ships\n\nIn a storm, a ferry stays in the harbour, and what happens then is decided.\n" };
  expect(answerOf(await reportOf({ ...files, ...other }, QUESTION)).join(" ")).not.toContain("[ferry.md]");
  // The control: alone it is better than nothing.
  expect(answerOf(await reportOf(files, QUESTION)).join(" ")).toContain("[ferry.md]");
});

test("what is counted for a part is told apart from what only touches it", async () => {
  const run = await reportOf(
    {
      "a.md": "# Ferries\n\nThe ferry to the island was built in May 1990 by the yard.\n",
      "b.md": "# Boats\n\nThe ferry to the island was built of oak by the men of the yard.\n",
    },
    "When was the ferry to the island built?",
  );
  expect(run.draft.strengths).toMatchObject([
    { claims: 1, reason: "1 independent document. 1 more quote mentions this part without answering it." },
  ]);
  expect(run.draft.gaps[0]?.reason).toBe(
    "Found 2 quotes in 2 documents; a second search found nothing new. Repeats are left out.",
  );
});
