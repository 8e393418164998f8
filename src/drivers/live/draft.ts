// The draft by a model: sections of claims that name their citations, each claim judged against its quotes.
import { assert } from "../../kernel/assert.ts";
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Claim, Draft, Section } from "../../run/report.ts";
import type { Citation } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { draftDemands, system, WRITER } from "./prompts.ts";
import { shown } from "./summary.ts";
import { judgeSupport, type Judged } from "./support.ts";
import { performTask } from "./task-loop.ts";

const writtenSchema = z.object({
  sections: z
    .array(
      z.object({
        title: z.string().min(1).max(200),
        claims: z
          .array(z.object({ text: z.string().min(1).max(2_000), citation_ids: z.array(z.string()).min(1).max(20) }))
          .min(1),
      }),
    )
    .min(1)
    .max(40),
  gaps: z.array(z.object({ part_id: z.string(), evidence: z.enum(["none", "weak"]) })).max(40),
});
type Written = z.infer<typeof writtenSchema>;
type DraftInput = Tasks["draft"]["input"];

export async function draft(input: DraftInput, tools: TaskTools): Promise<Draft> {
  const { limits } = input;
  const citations = input.citations.flatMap((checked) => checked.citations).filter(({ found }) => found);
  const byId = new Map(citations.map((citation) => [citation.citation_id, citation]));
  const number = input.previous === null ? "draft" : `draft:${input.directives.length}`;
  const { result } = await performTask<Written>(
    {
      name: number,
      role: "writer",
      system: system(WRITER, draftDemands(limits)),
      user: JSON.stringify(taskOf(input, citations)),
      tools: [],
      result: { schema: writtenSchema, description: "Hands the draft in: the answer first, then what leads to it." },
      problemOf: (written) => problemOf(written, byId, limits) ?? strangeWords(written, input),
      maxTurns: 8,
    },
    tools,
  );
  const claims = claimsIn(result, byId);
  const judged = await judgeSupport(
    `verify-${number}`,
    claims
      .filter(needsJudge)
      .map(({ id, text, cited }) => ({ id, text, quotes: cited.map(({ quote }) => quote.text) })),
    tools,
  );
  const sections = result.sections.map(({ title }, index): Section => ({
    title,
    role: index === 0 ? "answer" : "perspective",
    claims: claims.filter((claim) => claim.section === index).map((claim) => claimOf(claim, judged.get(claim.id))),
  }));
  const gaps = gapsOf(result, input.plan);
  return { question: input.question, sections, sources: sourcesOf(sections, input.sources), gaps };
}

// --- what stands outside of claims --------------------------------------------------------------------------------
// No quote supports a title or a gap, so a writer chooses among words that stood before any document was read.

const ANSWER_TITLE = "Answer";

function titlesFor({ plan, pivot }: DraftInput): string[] {
  return [ANSWER_TITLE, ...plan.perspectives.map(({ title }) => title), ...pivot.gaps.map(({ title }) => title)];
}

function strangeWords({ sections, gaps }: Written, input: DraftInput): string | null {
  const titles = titlesFor(input);
  const strange = sections.find(({ title }) => !titles.includes(title))?.title;
  if (strange !== undefined) return `a section is called by one of section_titles, not ${JSON.stringify(strange)}`;
  if (new Set(sections.map(({ title }) => title)).size !== sections.length) return "two sections have the same title";
  const unknown = gaps.find(({ part_id }) => !input.plan.parts.some(({ id }) => id === part_id))?.part_id;
  return unknown === undefined ? null : `there is no part ${unknown}`;
}

function gapsOf({ gaps }: Written, { parts }: DraftInput["plan"]): Draft["gaps"] {
  return gaps.flatMap(({ part_id, evidence }) => {
    const text = parts.find(({ id }) => id === part_id)?.text;
    if (text === undefined) return [];
    const reason =
      evidence === "none" ? "The writer found no quote that answers it." : "The writer found the quotes thin.";
    return [{ text, reason, evidence }];
  });
}

function taskOf(input: DraftInput, citations: readonly Citation[]) {
  const { question, plan, summaries, directives, previous } = input;
  return {
    question,
    section_titles: titlesFor(input),
    parts: plan.parts.map(({ id, text }) => ({ id, text })),
    summaries: summaries.map(({ title, points }) => ({
      title,
      points: points.map(({ text, citation_ids }) => ({ text, citation_ids })),
    })),
    citations: citations.map(shown),
    ...(previous === null
      ? {}
      : {
          previous_draft: previous.sections.map(({ title, claims }) => ({
            title,
            claims: claims.map(({ claim_id, text }) => ({ claim_id, text })),
          })),
          directives,
        }),
  };
}

interface WrittenClaim {
  id: string;
  section: number;
  text: string;
  cited: Citation[];
}

function claimsIn({ sections }: Written, byId: ReadonlyMap<string, Citation>): WrittenClaim[] {
  const claims = sections.flatMap((section, index) => section.claims.map((claim) => ({ ...claim, section: index })));
  return claims.map(({ text, citation_ids, section }, index) => ({
    id: `c${index + 1}`,
    section,
    text,
    cited: [...new Set(citation_ids)].flatMap((id) => byId.get(id) ?? []),
  }));
}

/** A quotation needs no judge: that it stands in its source was checked. */
function needsJudge({ text, cited }: WrittenClaim): boolean {
  return !cited.some(({ quote }) => quote.text === text);
}

function claimOf({ id, text, cited }: WrittenClaim, judged: Judged | undefined): Claim {
  const judgement = judged ?? { verdict: "supported" as const, method: "verbatim" };
  return { claim_id: id, text, ...judgement, quotes: cited.map(({ quote }) => quote) };
}

// --- what is refused ----------------------------------------------------------------------------------------------

const NUMBER = /\p{N}+(?:[.,]\p{N}+)*/gu;

function problemOf({ sections }: Written, byId: ReadonlyMap<string, Citation>, limits: Limits): string | null {
  const claims = sections.flatMap((section) => section.claims);
  const strange = claims.flatMap(({ citation_ids }) => citation_ids).find((id) => !byId.has(id));
  if (strange !== undefined) return `there is no citation ${strange}`;
  for (const { text, citation_ids } of claims) {
    const quoted = new Set(citation_ids.flatMap((id) => byId.get(id)?.quote.text.match(NUMBER) ?? []));
    const uncited = (text.match(NUMBER) ?? []).find((number) => !quoted.has(number));
    if (uncited !== undefined)
      return `the number ${uncited} stands in no quote of its claim: ${JSON.stringify(text.slice(0, 120))}`;
  }
  const used = new Set(claims.flatMap(({ citation_ids }) => citation_ids)).size;
  if (byId.size > 0 && used / byId.size < limits.min_citation_use)
    return `${used} of ${byId.size} citations are used, at least ${Math.round(limits.min_citation_use * 100)} % have to be`;
  return null;
}

function sourcesOf(sections: readonly Section[], stored: DraftInput["sources"]): Draft["sources"] {
  const known = new Map(stored.map((source) => [source.source_digest, source]));
  const used = new Set(
    sections.flatMap(({ claims }) => claims).flatMap(({ quotes }) => quotes.map((quote) => quote.source_digest)),
  );
  return [...used].map((source_digest, index) => {
    const source = known.get(source_digest);
    assert(source !== undefined, "every quoted source is among the sources of the run");
    return { number: index + 1, source_digest, title: source.title, origin: source.origin };
  });
}
