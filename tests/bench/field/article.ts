// Makes the article that an evaluator takes: the page of a report in Markdown, each mark a link to its source, references last.
import { z } from "zod";

const ids = z.array(z.string());
const running = { lead: z.string().optional(), statements: ids };
const quotes = z.array(z.looseObject({ source_digest: z.string() })).optional();

/** What is read of report.json, in any version: kinds of blocks and statements that are not known here keep their text. */
const reportSchema = z.looseObject({
  title: z.string().optional(),
  question: z.string(),
  blocks: z.array(
    z.looseObject({
      kind: z.string(),
      level: z.number().optional(),
      text: z.string().optional(),
      ordered: z.boolean().optional(),
      start: z.number().optional(),
      items: z.array(z.looseObject(running)).optional(),
      lead: z.string().optional(),
      statements: ids.optional(),
      statement: z.string().optional(),
      caption: z.string().optional(),
      columns: z.array(z.string()).optional(),
      rows: z.array(z.array(z.union([z.string(), ids]))).optional(),
    }),
  ),
  statements: z.record(
    z.string(),
    z.looseObject({ basis: z.string(), text: z.string(), quotes, from: ids.optional() }),
  ),
  sources: z.array(
    z.looseObject({ number: z.number(), title: z.string(), origin: z.string(), source_digest: z.string() }),
  ),
  gaps: z.array(z.looseObject({ text: z.string() })),
});
type Report = z.infer<typeof reportSchema>;
type Block = Report["blocks"][number];

const TITLES = {
  en: { references: "References", gaps: "What was not found" },
  zh: { references: "参考文献", gaps: "未找到的内容" },
} as const;

/** `json`: report.json of a version. */
export function articleOf(json: unknown, language: string): string {
  const report = reportSchema.parse(json);
  const titles = language === "zh" ? TITLES.zh : TITLES.en;
  const { title = report.question, gaps, sources } = report;
  const section = (name: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`## ${name}`, items.join("\n")];
  const parts = [
    `# ${onOneLine(title)}`,
    ...report.blocks.map((block) => blockText(block, report)),
    ...section(
      titles.gaps,
      gaps.map(({ text }) => `- ${onOneLine(text)}`),
    ),
    ...section(
      titles.references,
      sources.map((source) => `${source.number}. [${labelOf(source)}](${targetOf(source)})`),
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function blockText(block: Block, report: Report): string {
  const { kind, level = 2, text = "", statements = [], statement, lead } = block;
  const said = (all: readonly string[], label?: string): string => {
    const sentences = all.map((id) => sentenceText(id, report)).filter((one) => one !== "");
    return [...(label === undefined ? [] : [`**${onOneLine(label)}**`]), ...sentences].join(" ");
  };
  switch (kind) {
    case "heading":
      return `${"#".repeat(Math.min(Math.max(level, 2), 6))} ${onOneLine(text)}`;
    case "list": {
      const { ordered = false, start = 1, items = [] } = block;
      return items
        .map((item, at) => `${ordered ? `${start + at}.` : "-"} ${said(item.statements, item.lead)}`)
        .join("\n");
    }
    case "code":
      return `${fenced(text)}\n\n${marksOf(statement ?? "", report)}`.trimEnd();
    case "table":
      return tableText(block, said);
    case "excerpt":
      return `> ${said([statement ?? ""])}`;
    default:
      return said(statements, lead) || onOneLine(text);
  }
}

function tableText({ caption, columns = [], rows = [] }: Block, said: (all: readonly string[]) => string): string {
  const width = Math.max(columns.length, ...rows.map((row) => row.length));
  const line = (cells: readonly (string | readonly string[])[]): string => {
    const filled = Array.from({ length: width }, (_, at) => cells[at] ?? "");
    const texts = filled.map((cell) => (typeof cell === "string" ? onOneLine(cell) : said(cell)));
    return `| ${texts.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  };
  const rule = `| ${Array<string>(width).fill("---").join(" | ")} |`;
  const table = [line(columns), rule, ...rows.map(line)].join("\n");
  return caption === undefined ? table : `${onOneLine(caption)}\n\n${table}`;
}

function sentenceText(id: string, report: Report): string {
  const statement = report.statements[id];
  if (statement === undefined) return "";
  const isQuote = statement.basis === "quoted" || statement.basis === "nearest";
  const words = onOneLine(statement.text);
  const marks = marksOf(id, report);
  return `${isQuote ? `“${words}”` : words}${marks === "" ? "" : ` ${marks}`}`;
}

/** A link for each source of the statement, and of those that it follows from. */
function marksOf(id: string, report: Report): string {
  const digests = new Set(digestsBehind(id, report, new Set()));
  return report.sources
    .filter(({ source_digest }) => digests.has(source_digest))
    .map((source) => `[${source.number}](${targetOf(source)})`)
    .join(" ");
}

function digestsBehind(id: string, report: Report, seen: Set<string>): string[] {
  const statement = report.statements[id];
  if (statement === undefined || seen.has(id)) return [];
  seen.add(id);
  const own = (statement.quotes ?? []).map(({ source_digest }) => source_digest);
  return [...own, ...(statement.from ?? []).flatMap((one) => digestsBehind(one, report, seen))];
}

/** The address of a page of the web, else the name of the document. The evaluators end a target at its first bracket. */
function targetOf({ origin }: Report["sources"][number]): string {
  const address = /^https?:\/\//i.test(origin) ? origin : encodeURI(origin);
  return address.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

function labelOf({ title, origin }: Report["sources"][number]): string {
  return onOneLine(title).replace(/[[\]]/g, "") || origin;
}

function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
