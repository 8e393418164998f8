// Finds out whether a passage is no content: navigation, a table of contents, a licence, or data for machines.
import { isSignpost } from "../../corpus/blocks/signposts.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { wordsOf } from "../../corpus/words/terms.ts";
import type { Passage } from "../../ports/provider.ts";

/** The share of lines that end in a page number, from which on a passage is a table of contents. */
const PAGE_NUMBERED_SHARE = 0.6;
const LICENCE_NAME = /(^|\/)(licen[cs]es?|copying|notices?)([-_.][^/]*)?$/i;
/** Leader dots, or a number at the end of a line of words. */
const LEADS_TO_PAGE = /(?:\.{3,}|…|\s{2,}|\p{L}\s)\s*\p{N}{1,4}$/u;
const MIN_LINES = 3;
/** Characters at the end of a line that are examined. */
const END_LENGTH = 20;

/** `questionWords`: the words of the question. A licence is content when the question asks for it. */
export function isBoilerplate(
  { origin, text }: Pick<Passage, "origin" | "text">,
  questionWords: ReadonlySet<string>,
): boolean {
  const name = origin.slice(origin.lastIndexOf("/") + 1);
  if (LICENCE_NAME.test(origin)) return !wordsOf(name).some((word) => questionWords.has(word));
  if (formatOf(origin) === "data") return true;
  if (text.length <= MAX_CONSENT_LENGTH && CONSENT.filter((kind) => kind.test(text)).length >= 2) return true;
  if (isSignpost(text)) return true;
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  const leading = lines.filter((line) => LEADS_TO_PAGE.test(line.trimEnd().slice(-END_LENGTH))).length;
  return lines.length >= MIN_LINES && leading / lines.length >= PAGE_NUMBERED_SHARE;
}

/** What a page asks for before it shows itself: in a short text, words of two of these kinds. */
const CONSENT = [
  /\bcookies?\b|クッキー|\bprivacy (?:policy|settings|choices)\b|\bdatenschutz/iu,
  /\b(?:accept|reject|allow|decline|agree to|manage) (?:all|cookies?|preferences|settings|choices)\b|\b(?:alle|alles) (?:akzeptieren|ablehnen|zulassen)\b|\btout (?:accepter|refuser)\b|\b(?:aceptar|rechazar) tod[ao]s?\b|\baccetta tutt[oi]\b/iu,
  /\b(?:sign|log)[ -]?in to\b|\bsubscribe to (?:read|continue)\b|\b(?:enable|turn on|requires) javascript\b|\banmelden, um\b|\bverify (?:that )?you are (?:a )?human\b/iu,
];
const MAX_CONSENT_LENGTH = 600;
