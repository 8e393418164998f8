// Reads the words of an mdoc(7) line: options get their dash, enclosed words their brackets, and punctuation joins its word.
import { GLUE } from "./roff-escapes.ts";

/** Macros that enclose the rest of the line. */
const ENCLOSING: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["Op", ["[", "]"]],
  ["Bq", ["[", "]"]],
  ["Pq", ["(", ")"]],
  ["Brq", ["{", "}"]],
  ["Aq", ["<", ">"]],
  ["Dq", ["“", "”"]],
  ["Qq", ['"', '"']],
  ["Sq", ["‘", "’"]],
  ["Ql", ["‘", "’"]],
  ["In", ["#include <", ">"]],
]);
/** Macros that open or close an enclosure over several lines, and names that need no argument. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...["Oo [", "Bo [", "Po (", "Bro {", "Ao <", "Do “", 'Qo "', "So ‘"].map((pair) => signOf(pair, "", GLUE)),
  ...["Oc ]", "Bc ]", "Pc )", "Brc }", "Ac >", "Dc ”", 'Qc "', "Sc ’"].map((pair) => signOf(pair, GLUE, "")),
  ...["Ux UNIX", "Bx BSD", "Fx FreeBSD", "Nx NetBSD", "Ox OpenBSD", "At UNIX", "Ta \t"].map((pair) =>
    signOf(pair, "", ""),
  ),
  ["Ns", GLUE + GLUE],
  ["Ap", `${GLUE}'${GLUE}`],
]);
const CLOSING = /^[.,;:!?)\]]$/;
/** Macros whose arguments are plain words. */
const PLAIN = new Set(
  (
    "Ad An Ar Cd Cm Dv Em En Er Es Ev Fa Fl Fn Fr Ft Ic Lb Li Lk Ms Mt Nm No Ot Pa Pf St Sx Sy Tn Va Vt Xc Xo Xr " +
    "%A %B %C %D %I %J %N %O %P %Q %R %T %U %V"
  ).split(" "),
);

/** `plain` resolves the escapes of a word; `page` is the name of the page's subject. */
export function mdocText(words: readonly string[], plain: (word: string) => string, page: string): string {
  const end = words.findLastIndex((word) => !CLOSING.test(word)) + 1;
  const said: string[] = [];
  const open: string[] = [];
  let macro = "";
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? "";
    const enclosing = ENCLOSING.get(word);
    const isLonely = at + 1 >= end || isMdocMacro(words[at + 1] ?? "");
    if (enclosing !== undefined) {
      said.push(enclosing[0] + GLUE);
      open.unshift(GLUE + enclosing[1]);
    } else if (word === "Xr") {
      const [name = "", section = ""] = words.slice(at + 1, (at += 2) + 1);
      said.push(section === "" ? plain(name) : `${plain(name)}(${plain(section)})`);
    } else if (word === "Fn") {
      const [name = "", ...args] = words.slice(at + 1, end).map(plain);
      said.push(`${name}(${args.join(", ")})`);
      at = end;
    } else if (word === "Pf") said.push(plain(words[++at] ?? "") + GLUE);
    else if (!isMdocMacro(word)) said.push(spaced(word, (macro === "Fl" ? "-" : "") + plain(word)));
    else if (SIGNS.has(word)) said.push(SIGNS.get(word) ?? "");
    else if (isLonely) said.push(word === "Fl" ? `-${GLUE}` : word === "Nm" ? page : word === "Ar" ? "file ..." : "");
    if (isMdocMacro(word)) macro = word;
  }
  const behind = words.slice(end).map((word) => GLUE + word);
  return [...said, ...open, ...behind].filter((text) => text !== "").join(" ");
}

export function isMdocMacro(word: string): boolean {
  return PLAIN.has(word) || ENCLOSING.has(word) || SIGNS.has(word);
}

/** Joins punctuation to the word before or behind it. */
function spaced(word: string, text: string): string {
  if (CLOSING.test(word)) return GLUE + word;
  return /^[([]$/.test(word) ? text + GLUE : text;
}

function signOf(pair: string, before: string, behind: string): [string, string] {
  const at = pair.indexOf(" ");
  return [pair.slice(0, at), before + pair.slice(at + 1) + behind];
}
