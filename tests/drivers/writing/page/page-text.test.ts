// A draft as models read it: steps keep their numbers.
import { expect, test } from "bun:test";
import { pageText } from "../../../../src/drivers/writing/page/page-text.ts";
import type { Draft } from "../../../../src/run/report/report.ts";

test("the items of an ordered list have their numbers, those of another a dash, and boxes stay", () => {
  const items = (...ids: string[]) => ids.map((id) => ({ statements: [id] }));
  const blocks: Draft["blocks"] = [
    { kind: "list", ordered: true, items: items("s1", "s2") },
    { kind: "list", ordered: true, start: 3, items: items("s3") },
    { kind: "list", ordered: false, items: items("s4") },
    {
      kind: "list",
      ordered: false,
      items: [
        { statements: ["s5"], checked: true },
        { statements: ["s6"], checked: false },
      ],
    },
  ];
  const draft = { question: "?", blocks, statements: {}, sources: [], gaps: [], parts: [], made: { notes: [] } };
  expect(pageText(draft, () => "c1").split("\n")).toEqual(["1. s1", "2. s2", "3. s3", "- s4", "- [x] s5", "- [ ] s6"]);
});
