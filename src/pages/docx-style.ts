// The styles of the Word document. They have names, so that a reader can change all text of one kind at once.
import {
  AlignmentType,
  BorderStyle,
  LevelFormat,
  LineRuleType,
  type ILevelsOptions,
  type IParagraphStyleOptions,
  type IPropertiesOptions,
} from "docx";

/** Ids of paragraph styles. */
export const STYLE = {
  excerpt: "Excerpt",
  excerptCode: "ExcerptCode",
  excerptPlace: "ExcerptPlace",
  caption: "TableCaption",
  code: "CodeBlock",
  note: "Remark",
  source: "SourceEntry",
  sourceDetail: "SourceDetail",
} as const;
/** Ids of character styles. */
export const CHARACTER = { code: "CodeCharacter", doubt: "Doubt" } as const;
/** References of numberings. Each instance of `numbers` counts from 1. */
export const LISTS = { bullets: "bullets", numbers: "numbers" } as const;

const MONOSPACED = "Consolas";
const SOFT = "586068";
export const LINE = "D9DDE1";
export const PANEL = "F4F6F8";
export const MARKED = "FFF0B3";
const BAD = "A8261C";

/** In twentieths of a point, as all lengths here. */
export const INDENT = 360;
const BAR = { style: BorderStyle.SINGLE, size: 18, space: 10, color: LINE };

const SMALL = { size: 19, color: SOFT };
const CODE = { font: MONOSPACED, size: 19 };
const CODE_LINES = { after: 0, line: 252, lineRule: LineRuleType.AUTO };

export const STYLES: NonNullable<IPropertiesOptions["styles"]> = {
  default: {
    document: {
      run: { font: "Calibri", size: 22 },
      paragraph: { spacing: { after: 120, line: 276, lineRule: LineRuleType.AUTO } },
    },
    title: {
      run: { size: 40, bold: true },
      paragraph: { spacing: { after: 200, line: 276, lineRule: LineRuleType.AUTO } },
    },
    heading1: headingStyle(28),
    heading2: headingStyle(24),
    heading3: headingStyle(22),
    footnoteText: { run: { size: 18 }, paragraph: { spacing: { after: 40, line: 240, lineRule: LineRuleType.AUTO } } },
  },
  paragraphStyles: [
    styleOf(STYLE.excerpt, { quickFormat: true, paragraph: { indent: { left: INDENT }, border: { left: BAR } } }),
    styleOf(STYLE.excerptCode, {
      basedOn: STYLE.excerpt,
      run: CODE,
      paragraph: { keepNext: true, spacing: CODE_LINES },
    }),
    styleOf(STYLE.caption, { run: SMALL, paragraph: { keepNext: true } }),
    styleOf(STYLE.excerptPlace, { run: SMALL, paragraph: { indent: { left: INDENT }, spacing: { after: 240 } } }),
    styleOf(STYLE.code, {
      quickFormat: true,
      run: CODE,
      paragraph: { spacing: CODE_LINES, shading: { fill: PANEL } },
    }),
    styleOf(STYLE.note, { run: SMALL }),
    styleOf(STYLE.source, {
      run: { bold: true },
      paragraph: { keepNext: true, spacing: { after: 0 }, indent: { left: 2 * INDENT, hanging: 2 * INDENT } },
    }),
    styleOf(STYLE.sourceDetail, { run: SMALL, paragraph: { indent: { left: 2 * INDENT } } }),
  ],
  characterStyles: [
    { id: CHARACTER.code, name: "Code Character", run: { font: MONOSPACED } },
    { id: CHARACTER.doubt, name: "Doubt", run: { bold: true, color: BAD } },
  ],
};

/** A paragraph style. Its name is made of its id: `ExcerptCode` is called `Excerpt Code`. */
function styleOf(id: string, style: Omit<IParagraphStyleOptions, "id" | "name">): IParagraphStyleOptions {
  return { id, name: id.replace(/(?<=[a-z])(?=[A-Z])/g, " "), basedOn: "Normal", ...style };
}

function headingStyle(size: number) {
  return {
    run: { size, bold: true, color: "1C2024" },
    paragraph: { keepNext: true, spacing: { before: 280, after: 100 } },
  };
}

export const NUMBERING: NonNullable<IPropertiesOptions["numbering"]> = {
  config: [
    { reference: LISTS.bullets, levels: [levelOf(LevelFormat.BULLET, "•")] },
    { reference: LISTS.numbers, levels: [levelOf(LevelFormat.DECIMAL, "%1.")] },
  ],
};

function levelOf(format: NonNullable<ILevelsOptions["format"]>, text: string): ILevelsOptions {
  const paragraph = { indent: { left: 2 * INDENT, hanging: INDENT }, spacing: { after: 60 } };
  return { level: 0, format, text, alignment: AlignmentType.START, style: { paragraph } };
}
