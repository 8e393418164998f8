// Reads report.v1, which version 0.1.0 wrote, as report.v2, so that it is checked and shown like any other report.
import { z } from "../../kernel/zod.ts";
import { countSchema } from "../common.ts";
import {
  reportGapSchema,
  reportScopeSchema,
  reportSourceSchema,
  verdictSchema,
  type Block,
  type Claim,
  type Draft,
  type Report,
} from "./report.ts";
import { versionFieldsSchema } from "./report-version.ts";
import { quoteSchema } from "./source.ts";

const claimV1Schema = z.object({
  claim_id: z.string().min(1).max(120),
  text: z.string().min(1).max(20_000),
  verdict: verdictSchema,
  method: z.string().min(1).max(120),
  reason: z.string().max(500).optional(),
  quotes: z.array(quoteSchema),
});
type ClaimV1 = z.infer<typeof claimV1Schema>;

const draftV1Schema = z.object({
  question: z.string().min(1),
  sections: z.array(
    z.object({
      title: z.string().min(1).max(500),
      role: z.enum(["answer", "perspective", "gap", "contradicted"]).optional(),
      claims: z.array(claimV1Schema),
    }),
  ),
  sources: z.array(reportSourceSchema),
  gaps: z.array(reportGapSchema.extend({ gap_id: z.undefined().optional() })),
  strengths: z
    .array(
      z.object({
        text: z.string().min(1),
        evidence: z.enum(["strong", "moderate", "weak", "none"]),
        claims: countSchema,
        sources: countSchema,
        reason: z.string().min(1),
      }),
    )
    .optional(),
  comparisons: z
    .array(
      z.object({
        kind: z.enum(["numbers", "disagreement"]),
        title: z.string().min(1).max(500),
        method: z.string().min(1).max(120),
        sides: z.array(z.object({ claim_id: z.string().min(1).max(120), value: z.string().min(1).max(200) })).min(2),
      }),
    )
    .optional(),
  notes: z.array(z.string().min(1)).optional(),
  unfinished: z.array(z.string().min(1)).optional(),
});
type DraftV1 = z.infer<typeof draftV1Schema>;

const reportV1Schema = draftV1Schema.extend({
  schema_version: z.literal("report.v1"),
  ...versionFieldsSchema,
  scope: reportScopeSchema.optional(),
});

export const draftOfV1Schema = draftV1Schema.transform(draftOf);

export const reportOfV1Schema = reportV1Schema.transform(
  ({ version_index, trigger_type, partial, evidence_digest, scope, ...draft }): Report => {
    const { made, ...rest } = draftOf(draft);
    return {
      ...rest,
      schema_version: "report.v2",
      version_index,
      trigger_type,
      partial,
      evidence_digest,
      made: { ...made, ...(scope === undefined ? {} : { scope }) },
    };
  },
);

function draftOf(old: DraftV1): Draft {
  const claims = old.sections.flatMap((section) => section.claims);
  return {
    question: old.question,
    blocks: [
      ...old.sections.flatMap(blocksOfSection),
      ...comparisonBlocks(old.comparisons ?? []),
      ...strengthBlocks(old.strengths ?? []),
    ],
    statements: Object.fromEntries(claims.map((claim) => [claim.claim_id, statementOf(claim)])),
    sources: old.sources,
    gaps: old.gaps.map(({ gap_id: _none, ...gap }, index) => ({ ...gap, gap_id: `g${index + 1}` })),
    // Version 0.1.0 did not measure the parts of a question. The table of strengths says what it counted.
    parts: [],
    made: { notes: old.notes ?? [], ...(old.unfinished === undefined ? {} : { unfinished: old.unfinished }) },
  };
}

function statementOf({ claim_id, ...claim }: ClaimV1): Claim {
  return { statement_id: claim_id, basis: claim.method === "verbatim" ? "quoted" : "cited", ...claim };
}

function blocksOfSection({ title, role, claims }: DraftV1["sections"][number]): Block[] {
  const marked = role === "answer" || role === "contradicted" ? { role } : {};
  const items = claims.map(({ claim_id }) => ({ statements: [claim_id] }));
  return [
    { kind: "heading", level: 2, text: title, ...marked },
    ...(items.length === 0 ? [] : [{ kind: "list" as const, ordered: false, items }]),
  ];
}

function comparisonBlocks(comparisons: NonNullable<DraftV1["comparisons"]>): Block[] {
  if (comparisons.length === 0) return [];
  const tables = comparisons.map(({ kind, title, method, sides }): Block => {
    const rows = sides.map(({ claim_id, value }) => [value, [claim_id]]);
    const columns = [kind === "numbers" ? "Value" : "Says", "Sentence"];
    return { kind: "table", caption: `${title} (put together by the rule ${method})`, columns, rows };
  });
  return [{ kind: "heading", level: 2, text: "Where sources differ" }, ...tables];
}

function strengthBlocks(strengths: NonNullable<DraftV1["strengths"]>): Block[] {
  if (strengths.length === 0) return [];
  const rows = strengths.map(({ text, evidence, reason }) => [text, evidence, reason]);
  const columns = ["Part of the question", "Evidence", "Counted"];
  return [
    { kind: "heading", level: 2, text: "How strong the evidence is" },
    { kind: "table", columns, rows },
  ];
}
