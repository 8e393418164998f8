// The names of the files of a run root, and which of the three kinds a path belongs to.
import { hexOf } from "../../kernel/digest.ts";
import type { Stage } from "../stage.ts";

export const MANIFEST_FILE = "manifest.json";
export const JOURNAL_FILE = "journal.jsonl";
export const HEAD_FILE = ".head";
export const LOCK_FILE = ".lock";
export const REQUESTS_FOLDER = "requests";
export const QUARANTINE_FOLDER = "quarantine";
export const TEMPORARY_PREFIX = ".tmp-";

export function stageFile(stage: Stage): string {
  return `stages/${stage}.json`;
}

export function sourceFiles(sourceDigest: string): { bytes: string; text: string; meta: string } {
  const base = `sources/${hexOf(sourceDigest)}`;
  return { bytes: base, text: `${base}.txt`, meta: `${base}.json` };
}

export function resultFile(resultDigest: string): string {
  return `results/${hexOf(resultDigest)}.json`;
}

/** What could not be reached; only where there is something. */
export const BLOCKED_URLS_FILE = "citations/blocked-urls.json";

/** Messages and results of tools over 4 KB. */
export function conversationFile(digest: string): string {
  return `${CONVERSATIONS}/${hexOf(digest)}.json`;
}

export function isOfConversation(path: string): boolean {
  return path.startsWith(`${CONVERSATIONS}/`);
}

const CONVERSATIONS = "conversations";

/** Prompts for agents and people outside, and their answers; `number` counts those of the step, from 1. */
export function promptFile({ stage, key }: { stage: Stage; key: string }, number: number): string {
  return `operator/prompts/${stage}/${key}${number === 1 ? "" : `.${number}`}.md`;
}

export function answerFile({ stage, key }: { stage: Stage; key: string }, number: number): string {
  return `operator/answers/${stage}/${key}${number === 1 ? "" : `.${number}`}.txt`;
}

export function reportFiles(versionIndex: number): { markdown: string; json: string } {
  return { markdown: `reports/${versionIndex}/report.md`, json: `reports/${versionIndex}/report.json` };
}
