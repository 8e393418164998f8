// Reads the lines of a roff source: drops comments, decides conditions, and expands the macros that the page defines.
import { plainOf, registerOf, type RoffNames } from "./roff-escapes.ts";

/** `text` has its escapes replaced. `args` keep theirs, so that no escaped word is taken for a macro of mdoc. */
type RoffLine = { macro: string | null; args: string[]; text: string };

/** The most text that the macros of a page expand to, since a macro can call itself. */
const MAX_EXPANDED_LENGTH = 1024 * 1024;
const MAX_VALUE_LENGTH = 1_000;
/** How much of a line a condition reads. A line may hold conditions in conditions, and each reads the rest. */
const MAX_CONDITION_LENGTH = 4_000;
/** A macro with such a loop over its arguments gives just the arguments. */
const LOOP = /^[.'] *(?:while|shift|rep)/;

export class RoffLines {
  readonly names: RoffNames = { strings: new Map(), registers: new Map() };
  /** The lines ahead in reverse order, so that the next one is the last. */
  private readonly ahead: string[];
  private readonly macros = new Map<string, string[]>();
  private readonly isKnown: (macro: string) => boolean;
  private readonly decided: boolean[] = [];
  private expandedLength = 0;

  /** `isKnown` is true for macros that a page cannot define anew. */
  constructor(source: string, isKnown: (macro: string) => boolean) {
    this.ahead = withoutComments(source.replace(/\r\n?/g, "\n")).split("\n").toReversed();
    this.isKnown = isKnown;
  }

  *[Symbol.iterator](): Generator<RoffLine> {
    for (let line = this.ahead.pop(); line !== undefined; line = this.ahead.pop()) {
      const [, macro, rest = ""] = /^[.'][ \t]*([^\s\\]*)[ \t]*(.*)$/.exec(line.replace(/\\[{}]/g, "")) ?? [];
      if (macro === undefined) yield { macro: null, args: [], text: this.plain(line) };
      else if (!this.obey(macro, rest, line)) yield { macro, args: argumentsIn(rest), text: "" };
    }
  }

  plain(raw: string): string {
    return plainOf(raw, this.names);
  }

  /** True when the line is a request of roff or a macro of the page, and gives no line itself. */
  private obey(macro: string, rest: string, line: string): boolean {
    const { strings, registers } = this.names;
    const [, name = "", value = ""] = /^(\S*)\s*"?(.*)$/.exec(rest) ?? [];
    const body = this.macros.get(macro);
    if (/^(?:if|ie|el|do)$/.test(macro)) this.decide(macro, line);
    else if (/^(?:de1?|dei1?|am1?|ig)$/.test(macro)) this.define(macro, rest);
    else if (macro === "ds" || macro === "as") {
      const before = macro === "as" ? (strings.get(name) ?? "") : "";
      strings.set(name, (before + this.plain(value)).slice(0, MAX_VALUE_LENGTH));
    } else if (macro === "nr") {
      const number = Number.parseInt(this.plain(value), 10) || 0;
      registers.set(name, /^[-+]/.test(value) ? registerOf(name, this.names) + number : number);
    } else if (macro === "als") this.macros.set(name, this.macros.get(value) ?? [`.${value} \\\\$*`]);
    else if (body !== undefined && !this.isKnown(macro) && this.expandedLength < MAX_EXPANDED_LENGTH)
      this.expand(body, rest);
    else return false;
    return true;
  }

  private decide(macro: string, line: string): void {
    const [, rest = ""] = /^[.'][ \t]*(?:if|ie|el|do)[ \t]*(.*)$/.exec(line.slice(0, MAX_CONDITION_LENGTH)) ?? [];
    const judged = macro === "if" || macro === "ie" ? this.judge(rest) : { holds: true, branch: rest };
    if (macro === "ie") this.decided.push(judged.holds);
    if (macro === "el") judged.holds = this.decided.pop() !== true;
    if (judged.holds) this.ahead.push(judged.branch.replace(/^\\\{\s*/, ""));
    else this.skip(judged.branch);
  }

  /** Skips a branch that is not taken, up to its closing bracket. */
  private skip(branch: string): void {
    let open = bracketsIn(branch);
    while (open > 0 && this.ahead.length > 0) open += bracketsIn(this.ahead.pop() ?? "");
  }

  private judge(condition: string): { holds: boolean; branch: string } {
    const [, not = "", body = ""] = /^((?:! *)*)(.*)$/.exec(condition) ?? [];
    const isTurned = not.replaceAll(" ", "").length % 2 === 1;
    const texts = /^(["'])(.*?)\1(.*?)\1[ \t]*(.*)$/.exec(body);
    if (texts !== null)
      return {
        holds: (this.plain(texts[2] ?? "") === this.plain(texts[3] ?? "")) !== isTurned,
        branch: texts[4] ?? "",
      };
    const named = /^([drcmFS])[ \t]*([^\s\\]+)[ \t]*(.*)$/.exec(body);
    if (named !== null) return { holds: this.isDefined(named[2] ?? "") !== isTurned, branch: named[3] ?? "" };
    const letter = /^([neotv])[ \t]*(.*)$/.exec(body);
    // `n` and `o` hold, as on a terminal and an odd page; `t`, `e` and `v` do not.
    if (letter !== null) return { holds: /[no]/.test(letter[1] ?? "") !== isTurned, branch: letter[2] ?? "" };
    const [, expression = "", branch = ""] = /^([^\s\\]*(?:\\[^{\s][^\s\\]*)*)[ \t]*(.*)$/.exec(body) ?? [];
    return { holds: isPositive(this.plain(expression)) !== isTurned, branch };
  }

  private isDefined(name: string): boolean {
    return (
      this.names.strings.has(name) || this.names.registers.has(name) || this.macros.has(name) || this.isKnown(name)
    );
  }

  private define(request: string, rest: string): void {
    const [first = "", second = ""] = rest.split(/\s+/);
    const [name, end] = request === "ig" ? ["", first] : [first, second];
    const body: string[] = [];
    for (let line = this.ahead.pop(); line !== undefined; line = this.ahead.pop()) {
      if (/^[.'][ \t]*(\S*)/.exec(line)?.[1] === (end || ".")) break;
      body.push(line);
    }
    if (name !== "")
      this.macros.set(name, request.startsWith("am") ? [...(this.macros.get(name) ?? []), ...body] : body);
  }

  private expand(body: readonly string[], rest: string): void {
    const given = argumentsIn(rest).map((arg) => arg.slice(0, MAX_VALUE_LENGTH));
    const all = given.join(" ").slice(0, MAX_VALUE_LENGTH);
    if (body.some((line) => LOOP.test(line))) {
      this.ahead.push(all);
      return;
    }
    const lines = body.map((line) =>
      line
        .replace(/\\\\n(?:\(\.\$|\[\.\$\])/g, String(given.length))
        .replace(/\\\\\$([1-9*@])/g, (_, which: string) => given[Number(which) - 1] ?? (/\d/.test(which) ? "" : all))
        .replaceAll("\\\\", "\\"),
    );
    this.expandedLength += lines.reduce((length, line) => length + line.length + 1, 1);
    this.ahead.push(...lines.toReversed());
  }
}

/** Drops comments, and joins a line that ends in a backslash with the next one. */
function withoutComments(source: string): string {
  return source.replace(/\\(?:"[^\n]*|#[^\n]*\n?|[^])/g, (escape) => (/^\\["#\n]/.test(escape) ? "" : escape));
}

/** The number of opened brackets minus that of closed ones. */
function bracketsIn(line: string): number {
  return (line.match(/\\\{/g)?.length ?? 0) - (line.match(/\\\}/g)?.length ?? 0);
}

function isPositive(expression: string): boolean {
  const [, left = "0", sign, right = "0"] = /^\(?(-?\d+)[a-z]?(?:([<>]=?|==?)(-?\d+))?/.exec(expression) ?? [];
  const difference = Number(left) - Number(right);
  if (sign === undefined) return Number(left) > 0;
  return (
    (sign.includes("=") && difference === 0) ||
    (sign.startsWith("<") && difference < 0) ||
    (sign.startsWith(">") && difference > 0)
  );
}

/** Quoted words are one argument, which is marked by `\&` so that it is no macro. */
function argumentsIn(rest: string): string[] {
  return [...rest.matchAll(/"([^"]*(?:""[^"]*)*)"?|(?:\\(?:[^]|$)|[^\s\\])+/g)].map(([word, quoted]) =>
    quoted === undefined ? word : `\\&${quoted.replaceAll('""', '"')}`,
  );
}
