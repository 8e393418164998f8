// Seals a manifest with its digest as the text of manifest.json, and reads such a text.
import { z } from "../../kernel/zod.ts";
import { assert } from "../../kernel/assert.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { countSchema, foldedUpToSchema, runIdSchema } from "../common.ts";
import type { Manifest } from "./manifest.ts";

/**
 * Goes up when a fold makes something else of the same records, and when a schema of records changes, since records that were
 * folded are not checked by their schemas again. A manifest with another number is behind: it says no more than how far the
 * journal went. So does manifest.v1, which version 0.1.0 wrote.
 */
export const FOLD_VERSION = 7;

/** The bytes of manifest.json: canonical JSON with the digest of the rest as first-level `digest`. */
export function sealManifest(manifest: Manifest): { text: string; digest: Digest } {
  const rest = canonicalJson(manifest);
  const digest = digestOfBytes(rest);
  const at = placeOfDigest(rest);
  return { text: `${rest.slice(0, at)},"digest":"${digest}"${rest.slice(at)}\n`, digest };
}

/** In canonical order `digest` follows `current_report_version_index`, which nothing before it can look like. */
function placeOfDigest(canonical: string): number {
  const before = /"current_report_version_index":(?:null|\d+)/.exec(canonical);
  assert(before !== null, "a manifest names its current report version");
  return before.index + before[0].length;
}

/** What a manifest says about the journal, whichever version folded it. */
const claimSchema = z.object({ run_id: runIdSchema, revision: countSchema, journal: foldedUpToSchema });
export type ManifestClaim = z.infer<typeof claimSchema>;

export type ManifestReading =
  | { kind: "manifest"; manifest: Manifest; digest: Digest }
  /** Folded by another version: no work continues from it. */
  | { kind: "other_fold"; claim: ManifestClaim }
  | { kind: "untrusted"; reason: string }
  | { kind: "newer"; version: string };

/** Reads manifest.json. A text that is torn, altered or not canonical is not trusted: it is rebuilt from the journal. */
export function readManifestText(text: string): ManifestReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "untrusted", reason: "not JSON" };
  }
  if (typeof value !== "object" || value === null) return { kind: "untrusted", reason: "not an object" };
  const { digest, ...rest } = value as Record<string, unknown>;
  if (typeof digest !== "string") return { kind: "untrusted", reason: "no digest" };
  const found = digestOfSealed(text, digest);
  if (found !== digest) return { kind: "untrusted", reason: "the digest does not fit" };
  const version = rest["schema_version"];
  const isEarlier = version === "manifest.v1";
  const isOurs = version === "manifest.v2";
  if (!isEarlier && !isOurs && typeof version === "string" && /^manifest\.v\d+$/.test(version))
    return { kind: "newer", version };
  if (isEarlier || (isOurs && rest["fold_version"] !== FOLD_VERSION)) {
    const { success, data: claim } = claimSchema.safeParse(rest);
    return success ? { kind: "other_fold", claim } : { kind: "untrusted", reason: "not a manifest" };
  }
  if (!isOurs || !hasShape(rest)) return { kind: "untrusted", reason: "not a manifest" };
  // The digest says that this program sealed it, and `verify` compares it with the fold byte for byte. Parsing it
  // with its schema would make every `status` slower, and `list` by that much for each run.
  return { kind: "manifest", manifest: rest as Manifest, digest: found };
}

const TEXTS = ["run_id", "created_at", "updated_at", "mode", "execution_state", "settings_digest"];
const OBJECTS = ["journal", "query", "tick", "stage", "gates", "settings", "limits", "steps", "counters", "usage"];
const LISTS = ["state_history", "provenance", "failures", "report_versions", "requests_done"];

/** Checks the first level alone, so that a manifest with a forged digest crashes no reader. `verify` finds the forgery. */
function hasShape(value: Record<string, unknown>): boolean {
  return (
    Number.isSafeInteger(value["revision"]) &&
    TEXTS.every((name) => typeof value[name] === "string") &&
    OBJECTS.every((name) => typeof value[name] === "object" && value[name] !== null && !Array.isArray(value[name])) &&
    LISTS.every((name) => Array.isArray(value[name])) &&
    Array.isArray(value["missing"] ?? [])
  );
}

/** The digest over the bytes as they are, without the `digest` member. */
function digestOfSealed(text: string, digest: string): Digest {
  const member = `,"digest":"${digest}"`;
  const at = text.indexOf(member);
  const rest = at < 0 ? text : text.slice(0, at) + text.slice(at + member.length);
  return digestOfBytes(rest.endsWith("\n") ? rest.slice(0, -1) : rest);
}

/** What a sealed manifest says about the journal, also where the rest of it cannot be trusted. */
export function claimIn(sealed: unknown): ManifestClaim | null {
  return claimSchema.safeParse(sealed).data ?? null;
}

/** What a manifest says about the journal; null where its digest does not fit. */
export function claimOf(reading: ManifestReading | null): ManifestClaim | null {
  if (reading?.kind === "manifest") return reading.manifest;
  return reading?.kind === "other_fold" ? reading.claim : null;
}

export function refuseNewer(version: string, path: string): RunError {
  return new RunError("SCHEMA_UNSUPPORTED", { reason: `written by a newer version (${version})`, path, version });
}
