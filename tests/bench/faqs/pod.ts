// Perl's documentation format as Markdown: as much of it as headings, lists and code need.

export function markdownOfPod(pod: string): string {
  const blocks = pod.replace(/\r\n/g, "\n").split(/\n(?:[ \t]*\n)+/);
  return blocks
    .map(blockOf)
    .filter((block) => block !== "")
    .join("\n\n");
}

function blockOf(block: string): string {
  const [, command, rest = ""] = /^=(\w+)\s*(.*)$/s.exec(block) ?? [];
  if (command === undefined)
    return /^\s/.test(block) ? block.replace(/^\s*/gm, (space) => `    ${space}`) : inlineOf(block);
  const level = /^head([1-6])$/.exec(command)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} ${inlineOf(rest).replace(/\s+/g, " ").trim()}`;
  return command === "item" && rest !== "*" ? `- ${inlineOf(rest.replace(/^\*\s*/, ""))}` : "";
}

const ESCAPES: Readonly<Record<string, string>> = { lt: "<", gt: ">", verbar: "|", sol: "/" };

/** Innermost first; a link is its words. */
function inlineOf(text: string): string {
  let inner = text;
  for (let before = ""; before !== inner;) {
    before = inner;
    inner = inner
      .replace(/E<(\w+)>/g, (_, name: string) => ESCAPES[name] ?? "")
      .replace(/[BCFILSXZ]<<+\s(.*?)\s>>+/gs, "$1")
      .replace(/([BCFILSXZ])<([^<>]*)>/g, (_, kind: string, words: string) => {
        if (kind === "X" || kind === "Z") return "";
        return kind === "L" ? words.replace(/\|.*$/s, "") : words;
      });
  }
  return inner;
}
