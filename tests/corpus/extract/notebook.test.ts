// Tests of notebooks: words, code and printed text are read, and a picture leaves a mark.
import { expect, test } from "bun:test";
import { textFrom } from "./texts.ts";

const code = (source: string, ...outputs: object[]): object => ({ cell_type: "code", source: [source], outputs });
const words = (...source: string[]): object => ({ cell_type: "markdown", source });
const notebook = (...cells: object[]): string => JSON.stringify({ cells, nbformat: 4, metadata: {} });

test("cells are read one behind the other", async () => {
  const cells = [
    words("# Masts\n", "\n", "The mast is ![](attachment:mast.png) and ![nine metres](attachment:b.png) high."),
    code("high(mast)\n", { output_type: "stream", text: ["9.2\n"] }),
    code("plot(mast)", { data: { "image/png": "iVBOR", "text/plain": "<Figure size 640x480>" } }),
    code(
      "mast",
      { data: { "text/plain": ["Mast(9.2)"], "text/html": "<b>9.2</b>" } },
      { data: { "application/x": {} } },
    ),
    { cell_type: "raw", source: "It stands." },
    { cell_type: "code", source: "" },
  ];
  expect(await textFrom("notebook", notebook(...cells))).toBe(
    [
      "# Masts",
      "The mast is [picture] and nine metres high.",
      "```\nhigh(mast)\n```",
      "```\n9.2\n```",
      "```\nplot(mast)\n```",
      "[picture]",
      "```\nmast\n```",
      "```\nMast(9.2)\n```",
      "[object]",
      "It stands.\n",
    ].join("\n\n"),
  );
});

test("what is no notebook is damaged, and one without cells has no text", async () => {
  expect(await textFrom("notebook", "{")).toBe("unfit: damaged");
  expect(await textFrom("notebook", '{"cells": 1}')).toBe("unfit: damaged");
  expect(await textFrom("notebook", notebook())).toBe("unfit: no_text");
});
