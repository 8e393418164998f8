// The words of the field (docs/glossary.md): old ones do not come back, and what is stored or read by programs keeps its names.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { ROOT, sourceFiles } from "./rooms.ts";
import { missingNames, storedNames, type StoredNames } from "./stored-names.ts";

/** Rooms, or folders of them, in which every line has the words of the glossary. */
const FINISHED = [
  "corpus",
  "providers",
  "pages",
  "models",
  "conversations",
  "system",
  "console",
  "drivers",
  "mcp",
  "stages",
  "kernel",
  "surface",
  "operations",
  "run/log",
  "run/next-steps",
  "run/settings",
  "run/report",
  "run/money",
  "run/model",
  "cli",
  "ports",
  "stores",
  "orchestrator",
];

/** In comments, messages and pages. */
const OLD_PHRASES: readonly RegExp[] = [
  /\b(?:nobody|somebody|whoever)\b/i,
  /\bgo(?:es|ing)? on\b|\bwent on\b/i,
  /\b(?:stands?|stood) (?:in|at|on|under|above|below|behind|beside|before|there|so)\b/,
  /\bhand(?:s|ed|ing)? (?:in|over)\b/i,
  /\b(?:told|telling)\b|\btells?\b/i,
  /\bbrought\b|\bbring(?:s|ing)? (?:along|an? (?:answer|document|file|source))\b/i,
  /\b(?:mend(?:s|ed|ing)?|cure[sd]?)\b/i,
  /\blook(?:s|ed|ing)? at\b|\b(?:an?|each|every|the) looks?\b/i,
];
/** In identifiers, whose words begin with a capital or behind `_`. */
const OLD_NAMES =
  /(?<![A-Za-z])(?:asked|told|tell|brought|nobody|somebody|whoever|mended)(?=[A-Z_]|\b)|(?:Asked|Told|Brought|Nobody|Somebody|Whoever|Mended)(?![a-z])|\b(?:goOn|goesOn|wentOn|handIn|handedIn|lookAt)(?![a-z])/;

/** What may stay: names that programs read, names of rooms that are not finished, and lists of English words. */
const KEPT: readonly [file: RegExp, text: RegExp][] = [
  [/./, /\b(?:asked_ms|asked_on|not_asked|asked_by_another|need_somebody|went_on_in_fork|mended_sources)\b|"__asked"/],
  [/\/corpus\/words\/stop-words\.ts$/, /\btells?\b|\btold\b/],
  [/\/corpus\/words\/terms\.ts$/, /"Please tell me this:"/],
  // Facts of an error, in `details` of its envelope.
  [/\/(?:cli\/(?:confirmation|failure)|kernel\/errors|surface\/fault-advice)\.ts$/, /\bmended\b/],
  [/\/(?:kernel\/errors|surface\/(?:verb-use|fault-advice))\.ts$/, /\basked\b/],
  // The port has this name, and so has a fact of an error.
  [/\/(?:conversations\/conversation|ports\/driver)\.ts$/, /\bget asked\b|\basked: (?:this|number)/],
  [/\/asking\/answer-from-model\.ts$/, /`asked`|\{ asked \}: Conversation|\basked, retryable/],
  [/\/verdicts\/support\.ts$/, /\bkind, asked, reason\b|\basked === 0/],
  // Written in prompts, which runs store.
  [/\/orchestrator\/answers\.ts$/, /mend what is named, and hand it in again|## Handing in|## Asked again/],
  // Stored in journals, and read again by its words.
  [/\/web\/page-reader\.ts$/, /robots stands before the text/],
];

function oldWordsIn(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const rest = KEPT.filter(([files]) => files.test(file)).reduce(
      (left, [, kept]) => left.replaceAll(new RegExp(kept, "g"), ""),
      line,
    );
    const isPage = file.endsWith(".md");
    const found = [...OLD_PHRASES, ...(isPage ? [] : [OLD_NAMES])].some((old) => old.test(rest));
    return found ? [`${file}:${index + 1}: ${line.trim()}`] : [];
  });
}

const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), "utf8");

function pages(): string[] {
  const folders = ["docs", "docs/decisions"];
  const docs = folders.flatMap((folder) => fs.readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`));
  return ["README.md", "CONTRIBUTING.md", ...docs.filter((name) => name.endsWith(".md"))];
}

test.each(FINISHED)("src/%s has no old word", (room) => {
  const files = sourceFiles(path.join(ROOT, "src", room)).map((file) => path.relative(ROOT, file));
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => oldWordsIn(file, read(file)))).toEqual([]);
});

test("the pages have no old word", () => {
  expect(pages().flatMap((page) => oldWordsIn(page, read(page)))).toEqual([]);
});

test("control: an old word is found in a comment, a message and a name", () => {
  const lines = ["// Whoever reads it.", 'throw new Error("nobody has it")', "const askedStart = 1;", "isTold(x)"];
  expect(oldWordsIn("a.ts", lines.join("\n"))).toHaveLength(lines.length);
  expect(oldWordsIn("a.ts", "const masked = 1; // It continues. The standing order.\nasked_ms")).toEqual([]);
});

// --- stored names -------------------------------------------------------------------------------------------------

/** Left to a newer version of the format, which docs/formats.md names; the older ones are still read. */
const REPLACED = [
  "schemas: bundle.v1",
  "schemas: journal.v1",
  "schemas: manifest.v1",
  "values: bundle.v1",
  "values: manifest.v1",
];
const THEN = JSON.parse(read("tests/fixtures/names/626ce955.json")) as StoredNames;

test("every name of 626ce955 that is stored or read by programs is still there", () => {
  expect(Object.values(THEN).flat().length).toBeGreaterThan(800);
  expect(missingNames(THEN, storedNames(ROOT))).toEqual(REPLACED);
});

test("control: a renamed key, flag and tool are named", () => {
  const now = storedNames(ROOT);
  const without = (kind: string, name: string): string[] => now[kind]?.filter((one) => one !== name) ?? [];
  const renamed = {
    ...now,
    keys: without("keys", "run_id"),
    flags: without("flags", "--corpus"),
    tools: without("tools", "agent_result"),
  };
  expect(missingNames(THEN, renamed)).toEqual(
    expect.arrayContaining(["keys: run_id", "flags: --corpus", "tools: agent_result"]),
  );
});
