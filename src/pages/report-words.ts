// The words of this program on a report: titles, what was checked, what is missing, how the report was made.
import { counted } from "../kernel/counted.ts";
import { percent } from "../kernel/percent.ts";
import { shownLine } from "../kernel/shown-text.ts";
import type { Claim, Report, ReportPart, ReportScope } from "../run/report/report.ts";
import { claimsOf, quotingOf } from "../run/report/statements.ts";
import { modelGroups } from "../run/settings/model-names.ts";
import type { LeftOut } from "../run/settings/settings.ts";

export const TITLES = {
  disagree: "Where sources disagree",
  none: "What was not found",
  weak: "Thin evidence",
  remarks: "What the review still requests",
  coverage: "How well each part is covered",
  made: "How this report was made",
  sources: "Sources",
  timeline: "How the run went",
} as const;

export const SPENT = "Spent by the run when this version was made";
export const FOLLOWS = "∴";
/** Shown for advice of ours. */
export const OURS = "our suggestion";
/** Between the marks of sources that disagree. */
export const AGAINST = "against";
const EMPHASIS = "Emphasis in excerpts is ours.";

/** A bold label at the start of a line, with a colon if it ends in a word. */
export function leadText(lead: string): string {
  return /[\p{L}\p{N}`)]$/u.test(lead.trim()) ? `${lead.trim()}:` : lead;
}

/** For a partial report: why it is partial, what the run had not done yet, and how the run continues. */
export function partialLines({ partial, trigger_type, made: { unfinished = [] } }: Report): string[] {
  if (!partial) return [];
  const isBudget = trigger_type === "budget";
  const why = isBudget ? "the budget was spent" : "this version was made";
  return [
    `Partial: ${why} before the run had finished its stages.`,
    ...(unfinished.length === 0 ? [] : [`Not done by then: ${unfinished.join("; ")}.`]),
    isBudget
      ? "Continue the run where it stopped with `deep-research resume` and a larger budget."
      : "Continue the run where it stopped with `deep-research resume`; a run that has ended, with `deep-research fork`.",
  ];
}

/** Says which documents were left out, if they are more than those that were read. */
export function unreadLines({ made: { scope } }: Report): string[] {
  const corpora = scope?.corpora ?? [];
  const read = corpora.reduce((sum, { documents }) => sum + documents, 0);
  const notRead = corpora.reduce((sum, { left_out = [] }) => sum + countOf(left_out), 0);
  return notRead > read ? leftOutLines(corpora) : [];
}

/** A sentence for each kind of mark on the page. */
export function legendOf(page: {
  hasMarks: boolean;
  hasGapMarks: boolean;
  hasConclusions: boolean;
  hasSuggestions: boolean;
  hasEmphasis: boolean;
}): string[] {
  const mark = "A mark such as [1a] leads to one quote: source 1 at the end of the page, quote a.";
  const follows = `${FOLLOWS} marks what we conclude, with the quotes that it follows from.`;
  return [
    ...(page.hasMarks ? [mark] : []),
    ...(page.hasGapMarks ? ["A mark such as [g1] leads to what was looked for and not found."] : []),
    ...(page.hasConclusions ? [follows] : []),
    ...(page.hasSuggestions
      ? [`“${OURS}” marks advice that no source gives, with the quotes that it comes from.`]
      : []),
    ...(page.hasEmphasis ? [EMPHASIS] : []),
  ];
}

// --- what was checked ---------------------------------------------------------------------------------------------

/** Says what was checked: that quotes are in their sources, and who judged the other claims. */
function checkedText(report: Report): string {
  const claims = claimsOf(report);
  const checked = claims.filter(({ verdict }) => verdict !== "not_checked");
  const exact = checked.filter(({ basis }) => basis === "quoted").length;
  const quoting = quotingOf(report);
  const near = quoting.filter(({ basis }) => basis === "nearest").length;
  const ours = quoting.filter(({ basis }) => basis === "suggested").length;
  const groups = [
    ...(exact === 0
      ? []
      : [
          `${counted(exact, "quote")} checked against the stored bytes of ${exact === 1 ? "its source" : "their sources"}`,
        ]),
    ...(near === 0
      ? []
      : [`${counted(near, "nearest passage")} checked alike, which ${near === 1 ? "claims" : "claim"} nothing`]),
    ...judgedWords(checked, "cited", (methods) => `in other words, judged against their quotes by ${methods}`),
    ...judgedWords(checked, "derived", (methods) => `concluded, judged by ${methods} on whether they follow`),
    ...(checked.length === claims.length ? [] : [`${claims.length - checked.length} not checked`]),
  ];
  const head = `${counted(claims.length, "claim")} from ${counted(report.sources.length, "source")}`;
  const suggestions = ours === 0 ? "" : ` And ${counted(ours, "suggestion")} of ours, which no source gives.`;
  return `${head}${groups.length === 0 ? "" : `: ${groups.join("; ")}`}.${suggestions} Whether a source is right was not judged.`;
}

function judgedWords(checked: readonly Claim[], basis: Claim["basis"], how: (methods: string) => string): string[] {
  const own = checked.filter((claim) => claim.basis === basis);
  if (own.length === 0) return [];
  const methods = [...new Set(own.map(({ method }) => shownLine(method)))];
  const verdicts = (["supported", "contradicted"] as const).flatMap((wanted) => {
    const count = own.filter(({ verdict }) => verdict === wanted).length;
    return count === 0 ? [] : [`${count === own.length ? "all" : count} ${wanted}`];
  });
  return [`${own.length} ${how(methods.join(" and "))} (${verdicts.join(", ")})`];
}

// --- how well it is covered ---------------------------------------------------------------------------------------

/** The columns depend on how coverage was measured: the writer of the page says what is answered, or words are counted. */
export function coverageTable({ parts, made }: Report): { columns: string[]; rows: string[][] } {
  const isWritten = made.scope !== undefined && made.scope.driver !== "local";
  const isJudged = isWritten || parts.some(({ judged }) => judged === true);
  return {
    columns: ["Part of the question", ...(isJudged ? JUDGED_COLUMNS : COUNTED_COLUMNS)],
    rows: parts.map((part) => [part.text, ...(isJudged ? judgedCells(part, isWritten) : countedCells(part))]),
  };
}

const JUDGED_COLUMNS = ["Answer", "Claims", "Sources"];
const COUNTED_COLUMNS = ["Words found", "Claims", "Sources", "Missing words"];

/** Of a part that no model judged, words were counted, and its claims say whether it is answered. */
function judgedCells({ coverage, judged, claims, sources }: ReportPart, isWritten: boolean): string[] {
  const share = isWritten || judged === true ? coverage : Math.sign(claims);
  const answer = share === 0 ? "not answered" : share < 1 ? "partly" : "answered";
  return [answer, String(claims), String(sources)];
}

function countedCells({ coverage, claims, mentions = 0, sources, missing }: ReportPart): string[] {
  const more =
    mentions === 0 ? "" : `; ${mentions} more ${mentions === 1 ? "mentions" : "mention"} it without answering it`;
  return [
    `${percent(coverage)} %`,
    `${claims}${more}`,
    String(sources),
    missing.length === 0 ? "none" : missing.join(", "),
  ];
}

// --- how it was made ----------------------------------------------------------------------------------------------

/** Lines about the question, the checks, the driver, the documents, the limits, and the notes of the run. */
export function madeLines(report: Report): string[] {
  const { question, title, version_index, trigger_type, partial, made } = report;
  const trigger = {
    auto_natural_stop: "at the end of the run",
    manual: "on request",
    budget: "when a budget was reached",
  };
  const version = `Version ${version_index}, ${trigger[trigger_type]}${partial ? ", partial" : ""}.`;
  return [
    ...(title === undefined ? [] : [`The question: ${question}`]),
    checkedText(report),
    ...agesLine(report),
    ...(made.scope === undefined ? [version] : scopeLines(version, made.scope)),
    ...made.notes,
  ];
}

/** Sources that are this many years apart may speak of different times. */
const FAR_APART_YEARS = 2;

/** Says so when the quoted sources are years apart, as far as they state their dates. */
function agesLine({ sources }: Report): string[] {
  const dates = sources.flatMap(({ dated }) => dated ?? []).sort();
  const [oldest, newest] = [dates[0], dates.at(-1)];
  if (oldest === undefined || newest === undefined) return [];
  if (yearsOf(newest) - yearsOf(oldest) < FAR_APART_YEARS) return [];
  return [`The sources are years apart: by what they state, the oldest is of ${oldest}, the newest of ${newest}.`];
}

function yearsOf(dated: string): number {
  const [year = 0, month = 1] = dated.split("-").map(Number);
  return year + (month - 1) / 12;
}

function scopeLines(version: string, { driver, mode, limits, corpora, models, ranked_by }: ReportScope): string[] {
  const thinking = DRIVERS[driver] ?? `the ${driver} driver`;
  const documents = corpora.map(({ name, documents: many }) => `${many} in ${name}`);
  return [
    `${version} Mode ${mode}, with ${thinking}.`,
    ...(models === undefined ? [] : [modelsLine(models)]),
    ...(ranked_by === undefined ? [] : [`Ranker of the passages: ${ranked_by}.`]),
    ...(documents.length === 0 ? [] : [`Documents searched: ${documents.join(", ")}.`]),
    ...leftOutLines(corpora),
    ...partlyReadLines(corpora),
    `Limits: ${counted(limits.max_perspectives, "perspective")}, ${counted(limits.max_depth, "wave")} of research, ${counted(limits.results_per_query, "passage")} a query; ${counted(limits.max_quotes_per_subject, "quote")} from ${counted(limits.max_sources_per_subject, "source")} for each perspective.`,
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

function leftOutLines(corpora: ReportScope["corpora"]): string[] {
  return corpora.flatMap(({ name, documents, left_out = [] }) => {
    if (left_out.length === 0) return [];
    const [notRead, all] = [countOf(left_out), countOf(left_out) + documents];
    const reasons = left_out.map(({ reason, count }) => `${count} ${reason}`).join("; ");
    return [`Not read in ${name}: ${notRead} of ${all} ${all === 1 ? "entry" : "entries"} (${reasons}).`];
  });
}

const SHOWN_PARTLY_READ = 5;

/** `Partly read in docs: a.pdf: 3 of 4 pages have no text (pages 2 to 4); 12 more.` */
function partlyReadLines(corpora: ReportScope["corpora"]): string[] {
  return corpora.flatMap(({ name, partly_read }) => {
    if (partly_read === undefined) return [];
    const shown = partly_read.most.slice(0, SHOWN_PARTLY_READ);
    const more = partly_read.documents - shown.length;
    // A corpus of one document has its name.
    const entries = shown.map(({ document, unread }) => (document === name ? unread : `${document}: ${unread}`));
    return [`Partly read in ${name}: ${[...entries, ...(more > 0 ? [`${more} more`] : [])].join("; ")}.`];
  });
}

function countOf(leftOut: LeftOut): number {
  return leftOut.reduce((sum, { count }) => sum + count, 0);
}
