// Makes the files and the metadata of a report version from a draft.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { given } from "../kernel/given.ts";
import { digestOfBytes, digestOfJson } from "../kernel/digest.ts";
import type { NewContent } from "../ports/run-log.ts";
import { reportFiles } from "../run/log/layout.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { formatWithoutLetters, type Draft, type Report, type ReportScope } from "../run/report/report.ts";
import { claimsOf, evidenceOf } from "../run/report/statements.ts";
import { withLetters } from "../run/report/quote-letters.ts";
import type { ReportVersion, TriggerType } from "../run/report/report-version.ts";
import { doubtsOf } from "../run/report/doubts.ts";
import { modelNames } from "../run/settings/model-names.ts";
import { reportMarkdown } from "../pages/markdown-page.ts";
import { rankerName } from "../run/settings/rankers.ts";

export interface Publication {
  files: [markdown: NewContent, json: NewContent];
  version: Omit<ReportVersion, "created_at">;
}

/** How a report is published when its run has reached the end. */
export const NATURAL_STOP = { trigger: "auto_natural_stop", partial: false } as const;

/** The report of a run that has reached the end, as if it had published none before. */
export function firstPublication(draft: Draft, manifest: Readonly<Manifest>): Publication {
  return publicationOf(draft, { ...manifest, report_versions: [] }, NATURAL_STOP);
}

export function publicationOf(
  draft: Draft,
  manifest: Readonly<Manifest>,
  {
    trigger,
    partial,
    ...mark
  }: { trigger: TriggerType; partial: boolean } & Pick<ReportVersion, "template" | "instruction">,
): Publication {
  const version_index = manifest.report_versions.length + 1;
  const rest = {
    version_index,
    trigger_type: trigger,
    partial,
    evidence_digest: digestOfJson(evidenceOf(draft)),
    made: { ...draft.made, scope: scopeOf(manifest) },
  };
  const lettered: Report = { ...draft, ...rest, schema_version: "report.v3", sources: withLetters(draft) };
  // A bundle of an earlier version replays to the report that it was recorded with.
  const plain: Report = { ...draft, ...rest, schema_version: formatWithoutLetters(draft) };
  const recorded = manifest.settings.bundle?.report_digest;
  const isOfEarlier = recorded !== undefined && digestOfBytes(bytesOf(plain)) === recorded;
  const report = isOfEarlier ? plain : lettered;
  const paths = reportFiles(version_index);
  const json = bytesOf(report);
  const markdown = new TextEncoder().encode(reportMarkdown(lettered));
  return {
    files: [
      { path: paths.markdown, bytes: markdown },
      { path: paths.json, bytes: json },
    ],
    version: {
      version_index,
      trigger_type: trigger,
      partial,
      report_file_path: paths.markdown,
      digest: digestOfBytes(json),
      report_md_digest: digestOfBytes(markdown),
      evidence_digest: report.evidence_digest,
      claims: claimsOf(draft).length,
      ...doubtfulClaims(draft),
      sources: draft.sources.length,
      ...given({ answered: draft.answered }),
      usage: spentOn(manifest),
      ...mark,
    },
  };
}

function bytesOf(report: Report): Uint8Array {
  return new TextEncoder().encode(`${canonicalJson(report)}\n`);
}

function doubtfulClaims(draft: Draft): Pick<ReportVersion, "contradicted" | "not_checked"> {
  const { contradicted, not_checked } = doubtsOf(claimsOf(draft)).metrics;
  return { ...(contradicted === 0 ? {} : { contradicted }), ...(not_checked === 0 ? {} : { not_checked }) };
}

/** What the run has spent and reserved so far. */
function spentOn({ usage }: Readonly<Manifest>): ReportVersion["usage"] {
  const { calls, tokens, cost_usd, reserved_usd, reserved_tokens = 0 } = usage;
  const { cached_input_tokens, unpriced_calls, estimated_calls } = usage;
  return {
    calls,
    tokens,
    cost_usd,
    ...(reserved_usd === 0 ? {} : { reserved_usd }),
    ...(reserved_tokens === 0 ? {} : { reserved_tokens }),
    cached_input_tokens,
    unpriced_calls,
    estimated_calls,
  };
}

/** A replay names what the recorded run was made with, since its results rest on that. */
function scopeOf({ settings, mode, limits }: Readonly<Manifest>): ReportScope {
  if (settings.bundle !== undefined) {
    const { driver, corpora, models, ranked_by } = settings.bundle;
    return { driver, mode, limits, corpora, ...given({ models, ranked_by }) };
  }
  return {
    driver: settings.driver,
    mode,
    limits,
    corpora: settings.corpora.map(({ name, documents, left_out, partly_read }) => ({
      name,
      documents,
      left_out,
      partly_read,
    })),
    // Where a model only ranks, it has no other role.
    ...(settings.models === undefined || settings.driver === "local" ? {} : { models: modelNames(settings.models) }),
    ...given({ ranked_by: rankerName(settings) }),
  };
}
