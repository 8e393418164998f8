// Lays help out in the width of the terminal: paragraphs, names with what they mean, and command lines to be pasted.
import { paragraph } from "../terminal/layout.ts";

const INDENT = "  ";

/** Command lines with their purpose: next to each where all of them fit, else above each as a comment of the shell. */
export function commandLines(lines: readonly (readonly [string, string])[], width: number): string {
  // A line without an explanation needs no room next to it.
  const longest = Math.max(...lines.map(([line, about]) => (about === "" ? 0 : line.length)));
  const inOneLine = lines.map(([line, about]) => `${INDENT}$ ${line.padEnd(longest)}  ${about}`.trimEnd());
  if (inOneLine.every((line) => line.length <= width)) return inOneLine.join("\n");
  return lines
    .map(([line, about]) => {
      const comment = about === "" ? "" : `${paragraph(about, width, `${INDENT}# `)}\n`;
      return `${comment}${INDENT}$ ${continued(line, width - 6)}`;
    })
    .join("\n");
}

/** A command line over several lines, as a shell takes it. An option and what it takes stay together. */
function continued(line: string, width: number): string {
  const words = line.match(/--\S+(?: (?!-)(?:"[^"]*"|[^\s"])+)*|(?:"[^"]*"|[^\s"])+/g) ?? [];
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current].join(` \\\n${INDENT.repeat(3)}`);
}

/** Each line of the text is a paragraph, with the indent of its first line. */
export function rewrapped(text: string, width: number): string {
  const lines = text.split("\n").map((line) => {
    const own = line.trimStart();
    return paragraph(own, width, line.slice(0, line.length - own.length));
  });
  return lines.join("\n");
}
