// The draft by a model: sections of claims that name their citations, each claim judged against its quotes.
import { assert } from "../../kernel/assert.ts";
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { uncitedNumbers } from "../../run/claim-numbers.ts";
import { contradictedLast, type Claim, type Draft, type Section } from "../../run/report.ts";
import type { Citation } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { ClaimJudge, type CitedClaim } from "./claim-judge.ts";
import { differencesOf, gapsOf, strengthsOf } from "./coverage.ts";
import { ANSWER_TITLE, draftDemands, system, WRITER } from "./prompts.ts";
import { placed } from "./quote-places.ts";
import { shown } from "./summary.ts";
import type { Judged } from "./support.ts";
import { performTask } from "./task-loop.ts";

/** Of a section in a report; the title of a gap holds a whole part of the question. */
const MAX_TITLE_LENGTH = 500;

const writtenSchema = z.object({
  sections: z
    .array(
      z.object({
        title: z.string().min(1).max(MAX_TITLE_LENGTH),
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
  const found = input.citations.flatMap((checked) => checked.citations).filter((citation) => citation.found);
  const citations = await placed(found, input.sources, tools);
  const byId = new Map(citations.map((citation) => [citation.citation_id, citation]));
  const judge = new ClaimJudge(tools);
  const { result } = await performTask<Written>(
    {
      name: "draft",
      role: "writer",
      system: system(WRITER, draftDemands(limits)),
      user: JSON.stringify(taskOf(input, citations)),
      tools: [],
      result: { schema: writtenSchema, description: "Hands the draft in: the answer first, then what leads to it." },
      problemOf: (written) => problemOf(written, byId, limits) ?? strangeWords(written, input),
      objectionTo: async (written) => await judge.objectionTo(claimsIn(written, byId)),
      maxTurns: 10,
    },
    tools,
  );
  const claims = claimsIn(result, byId);
  judge.refuseUnjudged(claims, limits.max_unsupported_share);
  const judged = claims.map((written) => ({ ...written, claim: claimOf(written, judge.verdictOn(written)) }));
  const written = result.sections.map(({ title }, index): Section => ({
    title,
    role: index === 0 ? "answer" : "perspective",
    claims: judged.filter(({ section }) => section === index).map(({ claim }) => claim),
  }));
  const { question, plan, pivot, sources } = input;
  const sections = contradictedLast(written.filter(({ claims: own }) => own.length > 0));
  const strengths = await strengthsOf(plan, judged, result.gaps, tools);
  return {
    question,
    sections,
    sources: sourcesOf(sections, sources),
    gaps: gapsOf(plan, result.gaps, strengths),
    ...(strengths === null ? {} : { strengths }),
    comparisons: differencesOf(question, judged),
    notes: pivot.notes ?? [],
  };
}

// --- what stands outside of claims --------------------------------------------------------------------------------
// No quote supports a title or a gap, so a writer chooses among words that stood before any document was read.

function titlesFor({ plan, pivot }: DraftInput): string[] {
  return [ANSWER_TITLE, ...plan.perspectives.map(({ title }) => title), ...pivot.gaps.map(({ title }) => title)];
}

function strangeWords({ sections, gaps }: Written, input: DraftInput): string | null {
  const titles = titlesFor(input);
  const strange = sections.find(({ title }) => !titles.includes(title))?.title;
  if (strange !== undefined) return `a section is called by one of section_titles, not ${JSON.stringify(strange)}`;
  if (sections[0]?.title !== ANSWER_TITLE) return `the first section is called ${JSON.stringify(ANSWER_TITLE)}`;
  if (new Set(sections.map(({ title }) => title)).size !== sections.length) return "two sections have the same title";
  const unknown = gaps.find(({ part_id }) => !input.plan.parts.some(({ id }) => id === part_id))?.part_id;
  return unknown === undefined ? null : `there is no part ${unknown}`;
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

interface WrittenClaim extends CitedClaim {
  section: number;
}

/** A claim that stands several times is one, where it stands first, with all that is cited for it. */
function claimsIn({ sections }: Written, byId: ReadonlyMap<string, Citation>): WrittenClaim[] {
  const claims = new Map<string, { text: string; section: number; ids: Set<string> }>();
  for (const [section, { claims: own }] of sections.entries()) {
    for (const { text, citation_ids } of own) {
      const key = text.replace(/\s+/gu, " ").trim().toLowerCase();
      const claim = claims.get(key) ?? { text, section, ids: new Set() };
      for (const id of citation_ids) claim.ids.add(id);
      claims.set(key, claim);
    }
  }
  return [...claims.values()].map(({ text, section, ids }, index) => ({
    id: `c${index + 1}`,
    section,
    text,
    cited: [...ids].flatMap((id) => byId.get(id) ?? []),
  }));
}

function claimOf({ id, text, cited }: WrittenClaim, judged: Judged): Claim {
  return { claim_id: id, text, ...judged, quotes: cited.map(({ quote }) => quote) };
}

// --- what is refused ----------------------------------------------------------------------------------------------

function problemOf({ sections }: Written, byId: ReadonlyMap<string, Citation>, limits: Limits): string | null {
  const claims = sections.flatMap((section) => section.claims);
  const strange = claims.flatMap(({ citation_ids }) => citation_ids).find((id) => !byId.has(id));
  if (strange !== undefined) return `there is no citation ${strange}`;
  for (const { text, citation_ids } of claims) {
    const [uncited] = uncitedNumbers(
      text,
      citation_ids.flatMap((id) => byId.get(id)?.quote ?? []),
    );
    if (uncited !== undefined)
      return `the number ${uncited} stands in no quote of its claim: ${JSON.stringify(shortened(text, 120))}`;
  }
  // Two citations may hold one quote; gate E counts it once.
  const all = quotesOf([...byId.keys()], byId);
  const used = quotesOf(
    claims.flatMap(({ citation_ids }) => citation_ids),
    byId,
  );
  if (all > 0 && used / all < limits.min_citation_use)
    return `${used} of ${all} different quotes are used, at least ${Math.round(limits.min_citation_use * 100)} % have to be`;
  return null;
}

/** How many different quotes the citations hold. */
function quotesOf(ids: readonly string[], byId: ReadonlyMap<string, Citation>): number {
  const quotes = ids.flatMap((id) => byId.get(id)?.quote ?? []);
  return new Set(quotes.map(({ source_digest, start, end }) => `${source_digest} ${start} ${end}`)).size;
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
