// Templates of reports: the sections of a draft that a version shows, as a page or as tables.
import { memberOf } from "../../kernel/member.ts";
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import { z } from "../../kernel/zod.ts";
import type { Block, Draft } from "./report.ts";
import {
  claimsOf,
  idsIn,
  isClaim,
  premisesIn,
  quotingOf,
  sectionsOf,
  statementsOf,
  type Section,
} from "./statements.ts";

export const reportTemplateSchema = z.strictObject({
  /** The kinds of sections that are shown, by the role of their heading; all by default. A section of `body` has no role. */
  sections: z
    .array(z.enum(["answer", "body", "nearest", "contradicted"]))
    .min(1)
    .optional(),
  /** `table`: a row for each claim, with its verdict. */
  form: z.enum(["page", "table"]),
});
type ReportTemplate = z.infer<typeof reportTemplateSchema>;

export const TEMPLATES = {
  full: { form: "page" },
  brief: { sections: ["answer", "nearest"], form: "page" },
  table: { form: "table" },
} as const satisfies Record<string, ReportTemplate>;
export type TemplateName = keyof typeof TEMPLATES;

export interface NamedTemplate {
  /** The name of a built-in template, or of a file. */
  name: string;
  template: ReportTemplate;
}

export const FULL: NamedTemplate = { name: "full", template: TEMPLATES.full };

/** What a version says of its template. */
export function templateMark({ name, template }: NamedTemplate): { name: string; digest: Digest } {
  return { name, digest: digestOfJson(template) };
}

const MAX_ROWS = 500;
const COLUMNS = ["What was found", "Checked"];

/** The draft as the template shows it, with the statements that a shown conclusion follows from. Sources are numbered anew. */
export function templated(draft: Draft, { sections, form }: ReportTemplate): Draft {
  if (sections === undefined && form === "page") return draft;
  const shown = sectionsOf(draft).filter((section) => sections === undefined || sections.includes(kindOf(section)));
  const blocks = form === "table" ? shown.flatMap((section) => tablesOf(section, draft)) : shown.flatMap(blocksOf);
  const laid = withSourcesOf(withPremises({ ...draft, blocks }));
  return claimsOf(laid).length === 0 ? { ...laid, answered: "nearest" } : laid;
}

function kindOf({ heading }: Section): "answer" | "body" | "nearest" | "contradicted" {
  return heading?.role ?? "body";
}

function blocksOf({ heading, blocks }: Section): Block[] {
  return heading === null ? blocks : [heading, ...blocks];
}

function tablesOf({ heading, blocks }: Section, { statements }: Draft): Block[] {
  const claims = statementsOf({ blocks, statements }).filter(isClaim);
  const rows = claims.map(({ statement_id, verdict }) => [[statement_id], verdict.replace("_", " ")]);
  const tables = Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, at): Block => {
    return { kind: "table", columns: COLUMNS, rows: rows.slice(at * MAX_ROWS, (at + 1) * MAX_ROWS) };
  });
  return heading === null || tables.length === 0 ? tables : [heading, ...tables];
}

/** Keeps the statements behind each shown conclusion, and those behind these, and shows them in a section of their own. */
function withPremises({ blocks, statements, ...draft }: Draft): Draft {
  const shown = new Set(blocks.flatMap(idsIn));
  const kept = new Set(shown);
  for (const id of kept) {
    const statement = memberOf(statements, id);
    if (statement !== undefined) for (const from of premisesIn(statement)) kept.add(from);
  }
  const behind = [...kept].filter((id) => !shown.has(id));
  const items = behind.map((id) => ({ statements: [id] }));
  const more: Block[] =
    items.length === 0
      ? []
      : [
          { kind: "heading", level: 2, text: "What it follows from" },
          { kind: "list", ordered: false, items },
        ];
  const own = Object.entries(statements).filter(([id]) => kept.has(id));
  return { ...draft, blocks: [...blocks, ...more], statements: Object.fromEntries(own) };
}

function withSourcesOf(draft: Draft): Draft {
  const quoted = new Set(quotingOf(draft).flatMap(({ quotes }) => quotes.map(({ source_digest }) => source_digest)));
  const kept = draft.sources.filter(({ source_digest }) => quoted.has(source_digest));
  return { ...draft, sources: kept.map((source, at) => ({ ...source, number: at + 1 })) };
}
