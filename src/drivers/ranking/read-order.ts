// Reads the reply of a ranker: what does not fit is repaired or left out here, and never requested again.
import { isObject, type JsonObject } from "../../kernel/json-object.ts";
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { parseWrittenJson } from "../../kernel/written-json.ts";
import { oneLine } from "./shown.ts";

export type Answers = "yes" | "partly" | "no";

/** A sentence of a passage. Both are counted from 0. */
export interface Mark {
  passage: number;
  sentence: number;
}

export interface Order {
  /** Passages by their places from 0, the best first. */
  order: readonly number[];
  marks: readonly Mark[];
  /** Whether they answer; null where only the order counts. */
  answers: Answers | null;
  /** Words for another search; "" for none. */
  lookFor: string;
}

const MAX_ORDER = 5;
const MAX_MARKS = 3;
const MAX_LOOK_FOR = 120;

/** `sentences`: how many each passage was shown with. Null when nothing of the reply can be read. */
export function readOrder(reply: string, sentences: readonly number[]): Order | null {
  const value = lastObjectIn(reply);
  if (value === null) return null;
  const wereShown = ({ passage, sentence }: Mark): boolean => sentence >= 0 && sentence < (sentences[passage] ?? 0);
  const found = marksIn(value["marks"]).filter(wereShown);
  const ranked = numbersIn(value["order"]).map((number) => number - 1);
  const named = ranked.filter((passage) => passage >= 0 && passage < sentences.length);
  // A mark in a passage that was not ranked counts as a ranking of it, behind the others.
  const order = [...new Set([...named.slice(0, MAX_ORDER), ...found.map(({ passage }) => passage)])].slice(
    0,
    MAX_ORDER,
  );
  const marks = found.filter(({ passage }) => order.includes(passage)).slice(0, MAX_MARKS);
  const answers = verdictOf(value["answers"], order, marks);
  if (answers === "no") return { order, marks: [], answers, lookFor: lookForIn(value) };
  return { order: ledBy(marks, order), marks, answers, lookFor: answers === "yes" ? "" : lookForIn(value) };
}

/** Yes without a mark is partly; what names no passage is no. */
function verdictOf(said: unknown, order: readonly number[], marks: readonly Mark[]): Answers {
  if (order.length === 0) return "no";
  const word = typeof said === "string" ? said.toLowerCase() : String(said);
  if (/^\W*(yes|ja|oui|true)/.test(word)) return marks.length > 0 ? "yes" : "partly";
  if (/^\W*(no|nein|non|false)/.test(word)) return "no";
  return /^\W*part/.test(word) || marks.length > 0 ? "partly" : "no";
}

/** A passage with a mark leads, whatever the order says. */
function ledBy(marks: readonly Mark[], order: readonly number[]): number[] {
  const lead = order.find((passage) => marks.some((mark) => mark.passage === passage));
  return lead === undefined ? [...order] : [lead, ...order.filter((passage) => passage !== lead)];
}

function lookForIn(value: JsonObject): string {
  const said = value["look_for"];
  return typeof said === "string" ? oneLine(said).slice(0, MAX_LOOK_FOR).toWellFormed() : "";
}

/** `[7, "3", "[p2]", {"passage": 4}]`, `"7 > 3"`. */
function numbersIn(value: unknown): number[] {
  const items: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[\s,>]+/) : [value];
  return items.flatMap((item) => {
    const plain: unknown = isObject(item) ? (item["passage"] ?? item["id"]) : item;
    const digits = typeof plain === "string" || typeof plain === "number" ? /-?\d{1,6}/.exec(String(plain)) : null;
    return digits === null ? [] : [Number(digits[0])];
  });
}

/** `["7.2", "[3:1]"]`. */
function marksIn(value: unknown): Mark[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const [, passage, sentence] = /(\d{1,6})\s*[.:]\s*(\d{1,6})/.exec(String(item)) ?? [];
    return passage === undefined ? [] : [{ passage: Number(passage) - 1, sentence: Number(sentence) - 1 }];
  });
}

// --- the object ---------------------------------------------------------------------------------------------------

/** Characters at the end of a reply, and objects in them, that are tried. */
const MAX_LENGTH = 20_000;
const MAX_TRIED = 60;

/** The last object with an order or a verdict: a model may think aloud, repeat the example or put fences around. A cut one is closed. */
function lastObjectIn(reply: string): JsonObject | null {
  const text = reply.slice(-MAX_LENGTH);
  let at = text.lastIndexOf("{");
  for (let tried = 0; at >= 0 && tried < MAX_TRIED; tried++) {
    const found = objectAt(text.slice(at));
    if (found !== null && ("order" in found || "answers" in found)) return found;
    at = at === 0 ? -1 : text.lastIndexOf("{", at - 1);
  }
  return null;
}

function objectAt(text: string): JsonObject | null {
  const end = text.lastIndexOf("}");
  const cut = text.replace(/,?\s*"[^"]*(?:"\s*:\s*(?:"[^"]*)?)?$/, "");
  for (const whole of [end < 0 ? text : text.slice(0, end + 1), `${text}]}`, `${text}}`, `${cut}]}`, `${cut}}`]) {
    const value = unlessThrown(() => parseWrittenJson(whole), null);
    if (isObject(value)) return value;
  }
  return null;
}
