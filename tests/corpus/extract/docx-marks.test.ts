// Tests of the marks that are where the reader of Word documents leaves something out inside of a sentence.
import { expect, test } from "bun:test";
import { withMarks } from "../../../src/corpus/extract/docx-marks.ts";
import { docxOf } from "./office-writer.ts";
import { textFrom } from "./texts.ts";

const run = (text: string, properties = ""): string =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const field = (code: string, result = ""): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const sentence = (inside: string): string => `<w:p>${run("The mast is ")}${inside}${run(" high.")}</w:p>`;

test.each([
  ["a formula", "<m:oMath><m:r><m:t>h</m:t></m:r></m:oMath>", "[formula]"],
  ["an object", "<w:r><w:object><o:OLEObject/></w:object></w:r>", "[object]"],
  ["a chart", '<w:r><w:drawing><wp:inline><c:chart r:id="r1"/></wp:inline></w:drawing></w:r>', "[chart]"],
  ["a diagram", '<w:r><w:drawing><wp:inline><dgm:relIds r:dm="r1"/></wp:inline></w:drawing></w:r>', "[diagram]"],
  ["a field without a result", field("PAGEREF mast"), "[field]"],
  ["a field with one", field("PAGEREF mast", `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run("9 m")}`), "9 m"],
  ["an equation of old", field("EQ \\f(1;2)"), "[formula]"],
  ["hidden text", run("secretly", "<w:b/><w:vanish/>"), ""],
  ["text that is not hidden", run("very", '<w:vanish w:val="0"/>'), "very"],
])("%s", async (_, inside, mark) => {
  expect((await textFrom("docx", docxOf(sentence(inside)))).replace(/ +/g, " ")).toBe(
    `The mast is ${mark} high.\n`.replace("  ", " "),
  );
});

test("an entry of the index is not seen, and a formula that is alone is no sentence", async () => {
  expect(await textFrom("docx", docxOf(sentence(field('XE "mast"'))))).not.toContain("[");
  const alone = `<w:p><m:oMathPara><m:oMath><m:r/></m:oMath></m:oMathPara></w:p>${sentence(run("9 m"))}`;
  expect(await textFrom("docx", docxOf(alone))).toBe("The mast is 9 m high.\n");
});

test("marks that nothing closes take no time", () => {
  for (const unit of ["<m:oMath>", "<w:r>", "<w:object", '<w:fldChar w:fldCharType="begin"/>', "<w:r><w:rPr>"])
    expect(withMarks(unit.repeat(50_000))).toHaveLength(unit.length * 50_000);
});

test("a document in it, in another file, is named where it stands", async () => {
  const body = `${sentence("")}<w:altChunk r:id="r7"><w:altChunkPr/></w:altChunk>${sentence('<w:subDoc r:id="r8"/>')}`;
  expect((await textFrom("docx", docxOf(body))).replace(/ +/g, " ")).toBe(
    "The mast is high.\n\n[embedded document]\n\nThe mast is [embedded document] high.\n",
  );
});
