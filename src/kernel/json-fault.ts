// Finds the place where a text stops being JSON, and says what is wrong there. Asked only once JSON.parse has refused it.

export interface JsonFault {
  /** Index into the text. */
  at: number;
  what: string;
}

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

const WORD_OR_NUMBER = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const STRING_END = /["\\]/g;

/** Null for JSON. One pass, without recursion. */
export function jsonFaultOf(text: string): JsonFault | null {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let commaAt = 0;
  let at = 0;
  const behindValue = (): Expected => (open.length === 0 ? "nothing" : "comma or end");
  while (at < text.length) {
    const letter = text[at] ?? "";
    const isKey: boolean = expected === "key" || expected === "key or end";
    const isValue: boolean = expected === "value" || expected === "value or end";
    const isEmptyEnd = expected === (letter === "}" ? "key or end" : "value or end");
    if (" \t\n\r".includes(letter)) at++;
    else if (letter === '"' && (isKey || isValue)) {
      const end = stringEnd(text, at);
      if (end === null)
        return { at, what: "text in quotes that does not end, or holds a line break or a wrong escape" };
      expected = isKey ? "colon" : behindValue();
      at = end;
    } else if ((letter === "{" || letter === "[") && isValue) {
      open.push(letter);
      expected = letter === "{" ? "key or end" : "value or end";
      at++;
    } else if (
      (letter === "}" || letter === "]") &&
      open.at(-1) === (letter === "}" ? "{" : "[") &&
      (expected === "comma or end" || isEmptyEnd)
    ) {
      open.pop();
      expected = behindValue();
      at++;
    } else if (letter === "," && expected === "comma or end") {
      expected = open.at(-1) === "{" ? "key" : "value";
      commaAt = at++;
    } else if (letter === ":" && expected === "colon") {
      expected = "value";
      at++;
    } else {
      WORD_OR_NUMBER.lastIndex = at;
      if (!isValue || !WORD_OR_NUMBER.test(text)) return faultAt(text, at, expected, commaAt);
      expected = behindValue();
      at = WORD_OR_NUMBER.lastIndex;
    }
  }
  return expected === "nothing" ? null : { at, what: "it ends too early" };
}

function faultAt(text: string, at: number, expected: Expected, commaAt: number): JsonFault {
  const letter = text[at] ?? "";
  if ((letter === "}" && expected === "key") || (letter === "]" && expected === "value"))
    return { at: commaAt, what: "a comma with nothing behind it" };
  if (letter === "/" && (text[at + 1] === "/" || text[at + 1] === "*"))
    return { at, what: "a comment, which JSON does not have" };
  if (letter === "'") return { at, what: "a single quote, where JSON has double quotes" };
  if (letter === "\ufeff") return { at, what: "a byte order mark" };
  return { at, what: EXPECTED[expected] };
}

const EXPECTED: Readonly<Record<Expected, string>> = {
  value: "a value is expected here",
  "value or end": "a value or ] is expected here",
  key: "a key in double quotes is expected here",
  "key or end": "a key in double quotes or } is expected here",
  colon: "a colon is expected here",
  "comma or end": "a comma or a closing bracket is expected here",
  nothing: "something stands behind the end",
};

/** Null where the text in quotes is not what JSON allows. */
function stringEnd(text: string, start: number): number | null {
  STRING_END.lastIndex = start + 1;
  for (let found = STRING_END.exec(text); found !== null; found = STRING_END.exec(text)) {
    if (found[0] === '"') return isString(text.slice(start, found.index + 1)) ? found.index + 1 : null;
    STRING_END.lastIndex = found.index + 2;
  }
  return null;
}

function isString(literal: string): boolean {
  try {
    JSON.parse(literal);
    return true;
  } catch {
    return false;
  }
}
