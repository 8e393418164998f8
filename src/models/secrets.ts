// Keeps keys out of what is shown or stored.
import { formsOf, masked } from "../kernel/secret-forms.ts";
import { shortened } from "../kernel/shortened.ts";

const MASK = "[key]";
const MAX_REASON_LENGTH = 500;
/** Shorter "keys" of local servers are words such as `ollama`, which may be in any reply. */
const MIN_REVEALING_LENGTH = 16;

/** Words shaped like a secret, since providers repeat a part of a wrong key in their messages. */
const SECRET_SHAPES: readonly [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${MASK}`],
  [/\b(sk|pk|xai|gsk|hf|AIza)[-_][\w*.-]{6,}/g, MASK],
  [/\bAIza[\w-]{10,}/g, MASK],
  [/([?&](?:key|api[-_]?key|access_token|token)=)[^&\s"']+/gi, `$1${MASK}`],
  [/(https?:\/\/)[^\s/@"']+@/gi, `$1${MASK}@`],
];

export interface Secrets {
  /** The text without keys, on one line, short enough for an error. */
  scrub(text: string): string;
  /** True when a text that would be stored repeats a key. */
  isIn(text: string): boolean;
  /** The text with a mask in place of each key. */
  masked(text: string): string;
  /** How many characters at the end of the text may begin a key. */
  begunAtEnd(text: string): number;
}

export function secretsOf(keys: readonly string[]): Secrets {
  const forms = formsOf(keys);
  const revealing = forms.filter((form) => form.length >= MIN_REVEALING_LENGTH);
  return {
    scrub(text) {
      const shaped = SECRET_SHAPES.reduce(
        (rest, [shape, mask]) => rest.replace(shape, mask),
        masked(text, forms, MASK),
      );
      // oxlint-disable-next-line no-control-regex
      return shortened(shaped.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim(), MAX_REASON_LENGTH);
    },
    isIn: (text) => revealing.some((form) => text.includes(form)),
    masked: (text) => masked(text, revealing, MASK),
    begunAtEnd: (text) => Math.max(0, ...revealing.map((form) => begunIn(text, form))),
  };
}

/** The length of the longest part at the end of the text that a key begins with. A whole key does not count. */
function begunIn(text: string, key: string): number {
  const first = key.slice(0, 1);
  const from = Math.max(0, text.length - key.length + 1);
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1))
    if (key.startsWith(text.slice(at))) return text.length - at;
  return 0;
}
