// Tests of code on a written page: what it rests on, how it is changed, and the numbers of the steps around it.
import { describe, expect, test } from "bun:test";
import { revised } from "../../../../src/drivers/writing/page/revision.ts";
import { readPage } from "../../../../src/drivers/writing/page/read-page.ts";
import type { WrittenPage } from "../../../../src/drivers/writing/page/written-page.ts";

const read = (source: string): WrittenPage => readPage(source, new Map());

/** `kind c1 c2` of each code block. */
function codeOf({ statements }: WrittenPage): string[] {
  return [...statements.values()].flatMap(({ place, kind, citation_ids, text }) =>
    place.kind === "code" ? [`${[kind, ...citation_ids].join(" ")}: ${text}`] : [],
  );
}

describe("code rests on", () => {
  test("the quotes of the sentence that announces it", () => {
    expect(codeOf(read("Print the lines [c1]:\n\n```\n# mdadm --detail\n```"))).toEqual(["cited c1: # mdadm --detail"]);
    expect(codeOf(read("By its pattern [from c1, c2]:\n\n```\nmdadm\n```"))).toEqual(["derived c1 c2: mdadm"]);
    expect(codeOf(read("运行以下命令：[c1]\n\n```\nmdadm\n```"))).toEqual(["cited c1: mdadm"]);
    expect(codeOf(read("1. Print the lines: [c1]\n\n   ```\n   mdadm\n   ```"))).toEqual(["cited c1: mdadm"]);
  });

  test("the marks in the line below it, if there are some", () => {
    expect(codeOf(read("Print them [c1]:\n\n```\nmdadm\n```\n[from c2]"))).toEqual(["derived c2: mdadm"]);
  });

  test("control: nothing when no sentence announces it", () => {
    expect(codeOf(read("It is so [c1].\n\n```\nmdadm\n```"))).toEqual(["unmarked: mdadm"]);
    expect(codeOf(read("Run this:\n\n```\nmdadm\n```"))).toEqual(["unmarked: mdadm"]);
    const twice = "It is so.\n\n```\nwhile true:\n```\n\n[c1]\n\n```\nrm x\n```";
    expect(codeOf(read(twice))).toEqual(["cited c1: while true:", "unmarked: rm x"]);
  });
});

test("code keeps its blank lines, also when chatter around the page is taken off", () => {
  const page = "## Answer\n\nRun this [c1]:\n\n```py\nx = 1\n\n\n  \ndef f(): ...\n```\n[c1]";
  for (const source of [page, `Here it is:\n\n${page}\n\nLet me know what you think.`])
    expect(codeOf(read(source))).toEqual(["cited c1: x = 1\n\n\n  \ndef f(): ..."]);
});

describe("code that is written again", () => {
  const page = read("It is so [c1].\n\n```\n# old\n```");
  const again = (text: string): WrittenPage => revised(page, [{ statement_id: "s2", text }], new Map()).page;

  test.each([
    ["bare, with a mark behind it", "# mdadm --create /dev/md0 [from c1, c2]", "# mdadm --create /dev/md0"],
    ["bare, with a mark below it", "# mdadm\n- no list\n[from c1, c2]", "# mdadm\n- no list"],
    ["in a fence", "```sh\n# mdadm\n\n  echo `a`\n```\n[from c1, c2]", "# mdadm\n\n  echo `a`"],
    ["in a fence, with the mark in it", "```\n# mdadm [from c1, c2]\n```", "# mdadm"],
  ])("stays code: %s", (_how, text, shown) => {
    const after = again(text);
    expect(codeOf(after)).toEqual([`derived c1 c2: ${shown}`]);
    expect(after.blocks.at(-1)).toEqual({ kind: "code", text: shown, statement: "s2" });
    expect(after.taken).toEqual([]);
  });

  test.each(["x = items[0]", "x = a[c1]", "print (c1)", "> a\n[1]", "echo '```' > page.md\nls"])(
    "keeps its own brackets and signs: %j",
    (code) => {
      for (const text of [`\`\`\`\n${code}\n\`\`\`\n[c2]`, `~~~\n${code}\n~~~ [c2]`, `${code} [c2]`])
        expect(codeOf(again(text))).toEqual([`cited c2: ${code}`]);
    },
  );

  test("is all that follows a fence without an end", () => {
    expect(codeOf(again("```sh\nls\n"))).toEqual(["unmarked: ls"]);
  });

  test("keeps its marks when the new code has none", () => {
    const marked = read("It is so [c1].\n\n```\nold\n```\n[c2]");
    const { page: after } = revised(marked, [{ statement_id: "s2", text: "# new" }], new Map());
    expect(codeOf(after)).toEqual(["cited c2: # new"]);
  });

  test("loses words below it, with a note", () => {
    const after = again("```\nmdadm\n```\nThis prints them. [c2]");
    expect(codeOf(after)).toEqual(["cited c2: mdadm"]);
    expect(after.taken).toEqual([{ what: "words beside code", text: "This prints them." }]);
  });

  test("is left out when it becomes empty", () => {
    expect(codeOf(again(""))).toEqual([]);
  });
});

test("steps go on counting behind code", () => {
  const numbered = ({ blocks }: WrittenPage) =>
    blocks.flatMap((block) => (block.kind === "list" ? [[block.start ?? 1, block.items.length]] : []));
  expect(numbered(read("1. One [c1]\n2. Two [c1]\n\n```\nx\n```\n\n3. Three [c1]"))).toEqual([
    [1, 2],
    [3, 1],
  ]);
  expect(numbered(read("1. One [c1]\n   ```\n   x\n   ```\n2. Two [c1]\n   - a [c1]\n3. Three [c1]"))).toEqual([
    [1, 1],
    [2, 1],
    [1, 1],
    [3, 1],
  ]);
  expect(numbered(read("- One [c1]\n\n```\nx\n```\n\n- Two [c1]"))).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test("a list that continues no other begins with 1", () => {
  const starts = (source: string) =>
    read(source).blocks.flatMap((block) => (block.kind === "list" ? [block.start ?? 1] : []));
  expect(starts("1999. It came [c1]")).toEqual([1]);
  expect(starts("1. One [c1]\n\n```\nx\n```\n\n7. Seven [c1]")).toEqual([1, 1]);
  expect(starts("1. One [c1]\n\n## Next\n\n2. Two [c1]")).toEqual([1, 1]);
});
