// What every page of a report says in our own words: titles, what was checked, what is missing, how it was made.
import { counted } from "../kernel/counted.ts";
import { shownLine } from "../kernel/shown-text.ts";
import { claimsOf, type Claim, type PartStrength, type Report, type ReportScope } from "../run/report.ts";
import { modelGroups, type LeftOut } from "../run/settings.ts";
import { isWordForWord, type ComparisonView } from "./report-view.ts";

export const TITLES = {
  comparisons: "Where sources differ",
  strengths: "How strong the evidence is",
  none: "What was not found",
  weak: "Thin evidence",
  scope: "How this report was made",
  quotes: "Quotes",
  sources: "Sources",
} as const;

export const SPENT = "Spent by the run when this version was made";
export const QUOTES_NOTE = "The exact words of the sources, behind claims that are put in other words.";
export const STRENGTH_NOTE = "Counted from claims and sources. It does not say whether a source is right.";
export const NOTHING_ANSWERS = "No sentence answers this directly. The nearest matches follow.";

/** That a report is partial, why, what the run had not done yet, and how it goes on; nothing for a whole one. */
export function partialLines({ partial, trigger_type, unfinished = [] }: Report): string[] {
  if (!partial) return [];
  const isBudget = trigger_type === "budget";
  const why = isBudget ? "the budget was spent" : "this version was made";
  return [
    `Partial: ${why} before the run had finished its stages.`,
    ...(unfinished.length === 0 ? [] : [`Not done by then: ${unfinished.join("; ")}.`]),
    isBudget
      ? "The run goes on where it stood with `deep-research resume` and a larger budget."
      : "The run goes on where it stood with `deep-research resume`; one that has ended, with `deep-research fork`.",
  ];
}

/** Says no more than was checked: that quotes stand in their sources, and by whom other words were judged. */
export function introductionOf(report: Report): string {
  const claims = claimsOf(report);
  const from = `${counted(claims.length, "claim")} from ${counted(report.sources.length, "source")}`;
  const exact = claims.filter(isWordForWord).length;
  const how = "taken word for word from a source and checked against the stored bytes";
  const rest =
    exact === claims.length
      ? `, each ${how}`
      : `: ${[...(exact === 0 ? [] : [`${exact} ${how}`]), ...judgedWords(claims)].join("; ")}`;
  const nothing = answersNothing(report) ? `${NOTHING_ANSWERS} ` : "";
  return `${nothing}${from}${rest}. Whether a source is right was not judged.`;
}

/** Stands where no part of the question was left without a quote. */
export function nothingMissing(report: Report): string {
  return answersNothing(report)
    ? "An answer: every part has quotes, and none of them gives what it asks for."
    : "Every part of the question has at least one quote.";
}

/** No part of the question has a claim that was counted for it, and no section is called an answer. */
function answersNothing({ sections, strengths = [] }: Report): boolean {
  const roles = new Set(sections.map(({ role }) => role));
  if (roles.has("answer") || roles.has("contradicted") || strengths.length === 0) return false;
  return strengths.every(({ claims }) => claims === 0);
}

/** The claims that are no quotes, by their verdicts and by who judged them. */
function judgedWords(claims: readonly Claim[]): string[] {
  const others = claims.filter((claim) => !isWordForWord(claim));
  const judged = others.filter(({ verdict }) => verdict !== "not_checked");
  const methods = [...new Set(judged.map(({ method }) => shownLine(method)))];
  const verdicts = (["supported", "contradicted"] as const).flatMap((wanted) => {
    const count = judged.filter(({ verdict }) => verdict === wanted).length;
    return count === 0 ? [] : [`${count} ${wanted}`];
  });
  return [
    ...(judged.length === 0
      ? []
      : [
          `${judged.length} in other words, judged against their quotes by ${methods.join(" and ")}: ${verdicts.join(", ")}`,
        ]),
    ...(judged.length === others.length ? [] : [`${others.length - judged.length} not checked`]),
  ];
}

/** Once for all comparisons; the rules in the order of their tables. */
export function comparisonsNote(views: readonly ComparisonView[]): string {
  const rules = [...new Set(views.map(({ method }) => shownLine(method)))];
  return `Sentences put side by side by ${rules.length === 1 ? "the rule" : "the rules"} ${rules.join(", ")}: a hint where to look, no verdict.`;
}

export function comparisonCaption({ kind, title }: ComparisonView): string {
  return `${kind === "numbers" ? "Numbers that differ" : "Sentences that may not agree"}: ${shownLine(title)}`;
}

/** What was counted for a part of the question, and what follows. */
export function strengthText({ claims, sources, reason }: PartStrength): string {
  return claims === 0 ? reason : `${counted(claims, "claim")} from ${counted(sources, "source")}. ${reason}`;
}

/** Driver, documents, limits and notes, a line each. */
export function scopeLines({ scope, notes = [], version_index, trigger_type, partial }: Report): string[] {
  const asked = {
    auto_natural_stop: "at the end of the run",
    manual: "on request",
    budget: "when a budget was reached",
  };
  const version = `Version ${version_index}, ${asked[trigger_type]}${partial ? ", partial" : ""}.`;
  if (scope === undefined) return [version, ...notes];
  const { driver, mode, limits, corpora, models } = scope;
  const thinking = DRIVERS[driver] ?? `the ${driver} driver`;
  const documents = corpora.map(({ name, documents: many }) => `${many} in ${name}`);
  return [
    `${version} Mode ${mode}, with ${thinking}.`,
    ...(models === undefined ? [] : [modelsLine(models)]),
    ...(documents.length === 0 ? [] : [`Documents read: ${documents.join(", ")}.`]),
    ...corpora.flatMap(({ name, left_out = [] }) => (left_out.length === 0 ? [] : [leftOutLine(name, left_out)])),
    `Limits: ${counted(limits.max_perspectives, "perspective")}, ${counted(limits.max_depth, "wave")} of research, ${counted(limits.results_per_query, "passage")} a query; ${counted(limits.max_quotes_per_subject, "quote")} from ${counted(limits.max_sources_per_subject, "source")} for each perspective.`,
    ...notes,
  ];
}

const DRIVERS: Partial<Record<ReportScope["driver"], string>> = {
  local: "the local driver, which quotes and writes nothing",
  live: "the live driver: language models search, write and judge",
};

/** `Models: a:b for planner and writer; c:d for verifier.` */
function modelsLine(models: NonNullable<ReportScope["models"]>): string {
  const groups = modelGroups(models);
  const [only] = groups;
  if (groups.length === 1 && only !== undefined) return `Model: ${only.name}, in every role.`;
  return `Models: ${groups.map(({ name, roles }) => `${name} as ${roles.join(", ")}`).join("; ")}.`;
}

function leftOutLine(name: string, leftOut: LeftOut): string {
  const all = leftOut.reduce((sum, { count }) => sum + count, 0);
  const reasons = leftOut.map(({ reason, count }) => `${count} ${reason}`);
  return `Not read in ${name}: ${all} ${all === 1 ? "entry" : "entries"} (${reasons.join("; ")}).`;
}
