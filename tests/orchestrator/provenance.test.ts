// Provenance names who was asked and who answered: also what a process that died knew, as far as the sources tell it.
import { describe, expect, test } from "bun:test";
import { digestOfJson } from "../../src/kernel/digest.ts";
import { provenanceOf, type Gathered } from "../../src/orchestrator/provenance.ts";
import type { GiverId } from "../../src/run/common.ts";
import type { Findings } from "../../src/run/report/research.ts";
import type { Source } from "../../src/run/report/source.ts";
import { wantedProviders } from "../../src/run/log/provenance.ts";

function sourceOf(provider_id: GiverId, name: string): Source {
  return { source_digest: digestOfJson(name), provider_id, origin: name, title: name } as Source;
}

function gathered(...sources: Source[]): Pick<Gathered, "findings" | "sources"> {
  const quotes = sources.flatMap(({ source_digest }) => [{ source_digest }, { source_digest }]);
  return { sources, findings: [{ sources, quotes } as unknown as Findings] };
}

const WEB_FIRST = { providers: { run: ["web" as const], workspace: [] } };
const ASKED = { requested_provider_id: "web", resolved_provider_id: "web", resolved_from: "run" } as const;

function dataOf(settings: typeof WEB_FIRST, what: Gathered): unknown[] {
  return provenanceOf(settings, what).map(({ data }) => data);
}

describe("provenance", () => {
  test("counts sources and quotes for who answered", () => {
    const answers = [{ ...ASKED, answered_provider_id: "web" as const }];
    expect(dataOf(WEB_FIRST, { ...gathered(sourceOf("web", "a"), sourceOf("web", "b")), answers })).toEqual([
      { ...answers[0], source_count: 2, quote_count: 4 },
    ]);
  });

  test("reads off the sources what answered before this process, a fallback as a fallback", () => {
    const kept = gathered(sourceOf("web", "a"), sourceOf("filesystem", "b"));
    expect(dataOf(WEB_FIRST, { ...kept, answers: [] })).toEqual([
      { ...ASKED, answered_provider_id: "web", source_count: 1, quote_count: 2 },
      {
        ...ASKED,
        answered_provider_id: "filesystem",
        fallback_from_provider_id: "web",
        source_count: 1,
        quote_count: 2,
      },
    ]);
  });

  test("counts apart what the operator brought, who stood in for nobody", () => {
    const kept = gathered(sourceOf("web", "a"), sourceOf("operator", "b"));
    const counts = { source_count: 1, quote_count: 2 };
    expect(dataOf(WEB_FIRST, { ...kept, answers: [] })).toEqual([
      { ...ASKED, answered_provider_id: "web", ...counts },
      { ...ASKED, answered_provider_id: "operator", ...counts },
    ]);
  });

  test("says also that nobody answered", () => {
    const failed = { ...ASKED, error: "web: dns" };
    expect(dataOf(WEB_FIRST, { findings: [], sources: [], answers: [failed] })).toEqual([
      { ...failed, source_count: 0, quote_count: 0 },
    ]);
  });
});

test("the run goes before the workspace, and that before the folders; nobody is asked twice", () => {
  expect(wantedProviders({ run: [], workspace: [] })).toEqual({ ids: ["filesystem"], from: "default" });
  expect(wantedProviders({ run: [], workspace: ["mcp"] })).toEqual({ ids: ["mcp"], from: "workspace" });
  expect(wantedProviders({ run: ["web", "filesystem", "web"], workspace: ["mcp"] })).toEqual({
    ids: ["web", "filesystem"],
    from: "run",
  });
});
