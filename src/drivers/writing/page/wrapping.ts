// Takes off what models put around a page: thinking, an outer fence, JSON, chatter, a list of sources.

/** Something that the writer wrote and that was taken off the page. `what` is shown to the reader. */
export interface TakenOff {
  what: string;
  text: string;
}

const THINKING_TAG = /<(\/?)(think|thinking|reasoning)>/giu;
const ENDED_THINKING = /^[\s\S]*?<\/(?:think|thinking|reasoning)>/iu;
const FENCE = /^(`{3,}|~{3,})[ \t]*(\w*)[ \t]*$/u;
const IS_MARK = /[[【(（][^\]】)）\n]{0,300}?\b[csg]?\d+\b/iu;
const HEADING = /^ {0,3}#{1,6}\s+(.*)$/u;
const SOURCES =
  /^(?:\W*)(?:sources?|references?|citations?|bibliography|works cited|footnotes?|notes and sources|quellen|quellenangaben|quellenverzeichnis|literatur|literaturverzeichnis|einzelnachweise|fußnoten|références|bibliographie|fuentes|referencias|bibliografía|fonti|riferimenti)\W*$/iu;
const LISTED = /^\s*(?:[-*+•]|\d+[.)]|[[【(]|\||https?:)/iu;
const DEFINITION = /^ {0,3}\[\^?[csg]?\d+\]:.*$/iu;
const OFFER =
  /^\W*(?:let me know|i hope|hope this|feel free|would you like|if you(?:'d| would)? like|please let|do you want|lassen sie|sagen sie|gern[e]? |ich hoffe|wenn sie möchten|n'hésitez|si vous|espero|si quieres|dime si)/iu;

export function unwrapped(source: string): { page: string; taken: TakenOff[] } {
  const taken: TakenOff[] = [];
  const take = (what: string, text: string): string => {
    if (text.trim() !== "") taken.push({ what, text });
    return "";
  };
  let page = outOfJson(source);
  page = withoutThinking(page, (text) => take("thinking", text));
  page = page.replace(ENDED_THINKING, (text) => take("thinking", text));
  page = outOfFence(page, (text) => take("chatter", text));
  page = withoutChatter(page, (text) => take("chatter", text));
  const lines = page.split("\n");
  const kept = lines.map((line) => (DEFINITION.test(line) ? take("a definition of a mark", line) : line));
  page = withoutSources(kept, (text) => take("a list of sources", text)).join("\n");
  return { page, taken };
}

/** Thinking that is not closed stays. */
function withoutThinking(page: string, take: (text: string) => void): string {
  const tags = [...page.matchAll(THINKING_TAG)].map(({ index, 0: tag, 1: slash, 2: name = "" }) => {
    return { isClosing: slash === "/", name: name.toLowerCase(), start: index, end: index + tag.length };
  });
  const lastClosing = new Map(tags.filter(({ isClosing }) => isClosing).map(({ name, start }) => [name, start]));
  let kept = "";
  let from = 0;
  let open: { name: string; start: number } | null = null;
  for (const { isClosing, name, start, end } of tags) {
    if (open === null) {
      if (!isClosing && start < (lastClosing.get(name) ?? 0)) open = { name, start };
    } else if (isClosing && name === open.name) {
      kept += page.slice(from, open.start);
      take(page.slice(open.start, end));
      [from, open] = [end, null];
    }
  }
  return kept + page.slice(from);
}

function outOfJson(source: string): string {
  const text = source.trim().replace(/^```json\s*\n([\s\S]*)\n```$/u, "$1");
  if (!text.startsWith("{")) return source;
  try {
    const texts = Object.values(JSON.parse(text) as object).filter((value) => typeof value === "string");
    return texts.toSorted((a, b) => b.length - a.length)[0] ?? source;
  } catch {
    return source;
  }
}

/** The inside of a fence around the whole page. A fence of another language, or with marks outside of it, shows code. */
function outOfFence(page: string, take: (text: string) => void): string {
  const lines = page.split("\n");
  const open = lines.findIndex((line) => FENCE.test(line.trim()));
  const [, sign = "", language = ""] = FENCE.exec(lines[open]?.trim() ?? "") ?? [];
  if (open === -1 || !/^(?:markdown|md|)$/iu.test(language)) return page;
  const close = lines.findLastIndex((line, index) => index > open && line.trim() === sign);
  if (close === -1 && language === "") return page;
  const end = close === -1 ? lines.length : close;
  const [before, behind] = [lines.slice(0, open).join("\n"), lines.slice(end + 1).join("\n")];
  if (IS_MARK.test(before) || IS_MARK.test(behind)) return page;
  if (language === "" && (before + behind).trim() !== "") return page;
  take(before);
  take(behind);
  return lines.slice(open + 1, end).join("\n");
}

/** The lines without sections of sources. A section counts only when all its lines are entries. */
function withoutSources(lines: readonly string[], take: (text: string) => void): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const title = HEADING.exec(line)?.[1] ?? (/^\s*(?:\*\*|__)/u.test(line) || line.trim().endsWith(":") ? line : "");
    if (!SOURCES.test(title)) {
      kept.push(line);
      continue;
    }
    let end = at + 1;
    while (end < lines.length && (LISTED.test(lines[end] ?? "") || (lines[end] ?? "").trim() === "")) end++;
    const isWhole = end === lines.length || HEADING.test(lines[end] ?? "");
    const holdsEntries = lines.slice(at + 1, end).some((entry) => LISTED.test(entry));
    // A list that begins within these lines is not whole either.
    if (isWhole && holdsEntries) take(lines.slice(at, end).join("\n"));
    else for (const own of lines.slice(at, end)) kept.push(own);
    at = end - 1;
  }
  return kept;
}

/** The page without "Here is the report:" before the first heading, and without an offer at the end. */
function withoutChatter(page: string, take: (text: string) => void): string {
  const text = page.trim();
  const gaps = [...text.matchAll(/\n\s*\n/gu)].map(({ index, 0: gap }) => ({ start: index, end: index + gap.length }));
  const first = text.slice(0, gaps[0]?.start);
  const isLead = !IS_MARK.test(first) && first.trim().endsWith(":") && HEADING.test(lineAt(text, gaps[0]?.end));
  const begin = isLead ? (gaps[0]?.end ?? 0) : 0;
  const final = gaps.at(-1);
  const last = text.slice(final?.end);
  const isOffer = final !== undefined && final.start > begin && !IS_MARK.test(last) && OFFER.test(last);
  if (isLead) take(first);
  if (isOffer) take(last);
  return text.slice(begin, isOffer ? final.start : undefined);
}

function lineAt(text: string, at = text.length): string {
  return text.slice(at).split("\n", 1)[0] ?? "";
}
