// The formats report.v2 and report.v3: the blocks of a page, and its statements with what each of them rests on.
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema } from "../common.ts";
import { driverIdSchema, limitsSchema, modeSchema, scopeCorpusSchema } from "../settings/settings.ts";
import { roleSchema } from "../role.ts";
import { quoteSchema, spansSchema, statedFields } from "./source.ts";
import { CODE_LANGUAGE } from "../../kernel/code-language.ts";
import { answeredSchema, versionFieldsSchema } from "./report-version.ts";

// --- statements ---------------------------------------------------------------------------------------------------

export const verdictSchema = z.enum(["supported", "contradicted", "not_checked"]);
export type Verdict = z.infer<typeof verdictSchema>;

const idSchema = z.string().min(1).max(120);
const namedSchema = { statement_id: idSchema, text: z.string().min(1).max(20_000) };

/** `reason` says why a claim is doubtful. A claim that was not checked always has one. */
export const judgementSchema = {
  verdict: verdictSchema,
  /** How the verdict was reached. `verbatim`: the statement is the quoted text itself. */
  method: z.string().min(1).max(120),
  reason: z.string().max(500).optional(),
};

const claimFields = { ...namedSchema, ...judgementSchema, quotes: z.array(quoteSchema) };

/** The gaps that a statement names next to what else it says. */
const gapIdsSchema = z.array(idSchema).max(50);

/** The words of a source, byte for byte. */
const quotedSchema = z.object({ basis: z.literal("quoted"), ...claimFields });
/** Rephrases its quotes. */
const citedSchema = z.object({
  basis: z.literal("cited"),
  ...claimFields,
  gap_ids: gapIdsSchema.optional(),
  /** Set where sources disagree: the quotes from this number on, counted from 0, say otherwise than those before it. */
  against: z.int().min(1).optional(),
  /**
   * Where clauses of the text end that have quotes of their own, in bytes of the text. The quotes are named by their numbers,
   * from 0; those of no clause belong to the end.
   */
  clauses: z
    .array(z.object({ end: countSchema, quotes: z.array(countSchema).min(1) }))
    .min(1)
    .optional(),
});
/** A comparison, a sum, a conclusion or a recommendation: it follows from several things together. */
const derivedSchema = z.object({
  basis: z.literal("derived"),
  ...claimFields,
  /** Ids of the statements that it follows from, next to its quotes. */
  from: z.array(idSchema).max(50),
  gap_ids: gapIdsSchema.optional(),
  /** How a number in it is computed from numbers in what it names: `(5.2 - 3.1) / 3.1`. */
  expression: z.string().min(1).max(500).optional(),
});
/** Says what was searched for and not found. */
const gapStatementSchema = z.object({
  ...namedSchema,
  basis: z.literal("gap"),
  gap_id: idSchema,
  further_gap_ids: gapIdsSchema.optional(),
});
/** A passage that came near, whole. It is shown for what it is: that it answers is not said. */
const nearestSchema = z.object({ basis: z.literal("nearest"), ...namedSchema, quotes: z.array(quoteSchema).min(1) });
/** Our advice, such as a value to set, that no source gives. It is no claim. */
const suggestedSchema = z.object({
  basis: z.literal("suggested"),
  ...namedSchema,
  /** What it comes from, with the statements in `from`. */
  quotes: z.array(quoteSchema),
  from: z.array(idSchema).max(50),
  gap_ids: gapIdsSchema.optional(),
});
/** Asserts nothing about the subject: "Three approaches compete." */
const framingSchema = z.object({ ...namedSchema, basis: z.literal("framing") });

const claimSchema = z.discriminatedUnion("basis", [quotedSchema, citedSchema, derivedSchema]);
/** A statement that asserts something, and so has a verdict. */
export type Claim = z.infer<typeof claimSchema>;

const OLD_BASES = [quotedSchema, citedSchema, derivedSchema, gapStatementSchema, framingSchema] as const;
const statementSchema = z.discriminatedUnion("basis", [...OLD_BASES, nearestSchema, suggestedSchema]);
export type Statement = z.infer<typeof statementSchema>;

/** A statement that rests on quotes, which have to be in their sources. */
export type Quoting = Claim | z.infer<typeof nearestSchema> | z.infer<typeof suggestedSchema>;

export type JudgedClaim = Pick<Claim, "statement_id" | "verdict" | "method" | "reason">;

// --- blocks -------------------------------------------------------------------------------------------------------

const labelSchema = z.string().min(1).max(500);
/** Statements in a row. `lead`: a bold label in front of them. */
const runningSchema = { lead: labelSchema.optional(), statements: z.array(idSchema).min(1) };

const headingSchema = z.object({
  kind: z.literal("heading"),
  /** 2 is a section of the page, 3 a part of a section. */
  level: z.int().min(2).max(4),
  text: labelSchema,
  /**
   * `answer`: what matters most. `nearest`: passages that came close and do not answer. `contradicted`: claims whose quotes say
   * the opposite.
   */
  role: z.enum(["answer", "nearest", "contradicted"]).optional(),
});
export type Heading = z.infer<typeof headingSchema>;

/** A cell holds plain words, or statements with their basis. */
const cellSchema = z.union([z.string().max(2_000), z.array(idSchema).min(1)]);
export type Cell = z.infer<typeof cellSchema>;

const tableSchema = z.object({
  kind: z.literal("table"),
  /** What the table shows, and the rule that put it together, if one did. */
  caption: labelSchema.optional(),
  columns: z.array(z.string().max(500)).min(1).max(20),
  rows: z.array(z.array(cellSchema)).max(500),
});

/** A quote that is shown whole, with marks on the sentences that matter. */
const excerptSchema = z.object({
  kind: z.literal("excerpt"),
  /** A quoted statement. */
  statement: idSchema,
  /** Spans inside the quote. */
  marks: spansSchema,
  /** Whole lines of code. The first may begin before the quote, which leaves out the blanks before its first word. */
  code: spansSchema.optional(),
  /** The words of the question that the excerpt lacks. */
  lacks: z.array(z.string().min(1).max(200)).optional(),
});

export const blockSchema = z.discriminatedUnion("kind", [
  headingSchema,
  z.object({ kind: z.literal("paragraph"), ...runningSchema }),
  z.object({
    kind: z.literal("list"),
    ordered: z.boolean(),
    /** The number of the first item, for steps that continue behind something else. */
    start: z.int().min(2).optional(),
    items: z
      .array(
        z.object({
          ...runningSchema,
          /** Set for an item with a box: whether that is checked. */
          checked: z.boolean().optional(),
        }),
      )
      .min(1),
  }),
  z.object({
    kind: z.literal("code"),
    text: z.string().min(1).max(20_000),
    statement: idSchema,
    language: z.string().regex(CODE_LANGUAGE).optional(),
  }),
  tableSchema,
  excerptSchema,
]);
export type Block = z.infer<typeof blockSchema>;

// --- the report ---------------------------------------------------------------------------------------------------

export const reportSourceSchema = z.object({
  number: z.int().min(1),
  source_digest: digestSchema,
  title: z.string(),
  origin: z.string(),
  ...statedFields,
  /** What the report quotes of it, each span once. Absent in reports before version 0.2.0. */
  quotes: z
    .array(z.object({ letter: z.string().regex(/^[a-z]{1,4}$/), start: countSchema, end: countSchema }))
    .optional(),
});

/** The reason of a gap without a stated reason. */
export const LOOKED_IN_VAIN = "It was looked for and not found.";

/** Before the reason of a gap that was noted in research: one that a sentence of the page names, and any other. */
export const NOTED_REASON = { named: "Noted in research: ", unnamed: "Noted in research, not followed up: " } as const;

/** The reason as the researcher noted it. */
export function bareReason(reason: string): string {
  const before = Object.values(NOTED_REASON).find((words) => reason.startsWith(words)) ?? "";
  return reason.slice(before.length);
}

/** Something that was searched for and not found, or found with little evidence. */
export const reportGapSchema = z.object({
  gap_id: idSchema,
  text: z.string().min(1),
  reason: z.string().min(1),
  /** Absent means `none`. */
  evidence: z.enum(["none", "weak"]).optional(),
});

const reportPartSchema = z.object({
  text: z.string().min(1),
  /** How much of this part the best evidence covers. A model judges 0, 0.5 or 1; without one, words are counted. */
  coverage: z.number().min(0).max(1),
  /** In a run that writes nothing: a model judged this part. */
  judged: z.literal(true).optional(),
  /** The words of the part that the documents lack. */
  missing: z.array(z.string().min(1)),
  /** How many claims answer it, and how many sources they quote. */
  claims: countSchema,
  sources: countSchema,
  /** How many further claims mention it without answering it. */
  mentions: countSchema.optional(),
  /** The ids of these claims. A template may leave some of them out of the report. */
  answered_by: z.array(idSchema).optional(),
  mentioned_by: z.array(idSchema).optional(),
});
export type ReportPart = z.infer<typeof reportPartSchema>;

/** What the run worked with, without paths and times. */
export const reportScopeSchema = z.object({
  driver: driverIdSchema,
  mode: modeSchema,
  limits: limitsSchema,
  corpora: z.array(scopeCorpusSchema),
  /** `PROVIDER:NAME` by role, from the settings when the version was made. Only live runs have models. */
  models: z.partialRecord(roleSchema, z.string()).optional(),
  /** `PROVIDER:NAME` of what put found passages in order. Absent: the search, or researchers who read them. */
  ranked_by: z.string().optional(),
});
export type ReportScope = z.infer<typeof reportScopeSchema>;

const madeSchema = z.object({
  /** What a reader should know about the evidence: limits that cut something off, documents that were left out. */
  notes: z.array(z.string().min(1)),
  /** What the last review still requested when its rounds were over. */
  remarks: z.array(z.string().min(1)).optional(),
  /** What the run had not done yet, in a partial report. */
  unfinished: z.array(z.string().min(1)).optional(),
  scope: reportScopeSchema.optional(),
});

export const draftOfNowSchema = z.object({
  question: z.string().min(1),
  /** Shown above the page instead of the question. */
  title: labelSchema.optional(),
  /** In reading order. */
  blocks: z.array(blockSchema),
  statements: z.record(idSchema, statementSchema),
  sources: z.array(reportSourceSchema),
  gaps: z.array(reportGapSchema),
  parts: z.array(reportPartSchema),
  /** Of the planner, where the question leaves something open. */
  assumptions: z.array(z.string().min(1).max(300)).max(3).optional(),
  /** Absent in reports of earlier versions, each of which has a claim. */
  answered: answeredSchema.optional(),
  made: madeSchema,
});
/** A report before it is published, without version and trigger. */
export type Draft = z.infer<typeof draftOfNowSchema>;

export const reportV2Schema = draftOfNowSchema.extend({
  schema_version: z.literal("report.v2"),
  statements: z.record(idSchema, z.discriminatedUnion("basis", OLD_BASES)),
  sources: z.array(reportSourceSchema.omit({ quotes: true, dated: true, version: true })),
  ...versionFieldsSchema,
});
/**
 * Its quotes have letters, passages of the basis `nearest` and suggestions are among its statements, and claims may say that
 * sources disagree. Programs before 0.2.0 do not know it.
 */
export const reportV3Schema = draftOfNowSchema.extend({
  schema_version: z.literal("report.v3"),
  ...versionFieldsSchema,
});
/** A report as this version publishes it. */
export const reportOfNowSchema = z.union([reportV2Schema, reportV3Schema]);
export type Report = Omit<z.infer<typeof reportV3Schema>, "schema_version"> & { schema_version: ReportFormat };
export type ReportFormat = "report.v2" | "report.v3";

/** The format of a report whose quotes have no letters, as programs before 0.2.0 know it where it shows nothing near. */
export function formatWithoutLetters(draft: Pick<Draft, "statements">): ReportFormat {
  return Object.values(draft.statements).some(({ basis }) => basis === "nearest") ? "report.v3" : "report.v2";
}
