// Puts the title of a document above its text, as the one heading of the first level.

const MAX_TITLE_LENGTH = 300;
const HEADING = /^(#{1,6}) (.*)$/;
const FENCE = /^`{3,}/;

/** The other headings move below it; one that repeats the title at the beginning becomes it. */
export function withTitle(title: string, markdown: string): string {
  const name = title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
  if (name === "") return markdown;
  const lines = markdown.split("\n");
  const first = HEADING.exec(lines[0] ?? "");
  const body = first !== null && isSameTitle(first[2] ?? "", name) ? lines.slice(1) : lines;
  return `# ${name}\n\n${below(body).join("\n").trimStart()}`;
}

/** Moves the headings so that the highest is of the second level. */
function below(lines: readonly string[]): string[] {
  let highest = 6;
  let fence: string | null = null;
  const levels = lines.map((line) => {
    const mark = FENCE.exec(line)?.[0];
    if (mark !== undefined && (fence === null || fence === line)) fence = fence === null ? mark : null;
    const level = fence === null && mark === undefined ? (HEADING.exec(line)?.[1]?.length ?? 0) : 0;
    if (level > 0) highest = Math.min(highest, level);
    return level;
  });
  const shift = 2 - highest;
  return lines.map((line, at) => {
    const level = levels[at] ?? 0;
    return level === 0 ? line : "#".repeat(Math.min(6, level + shift)) + line.slice(level);
  });
}

/** Page titles carry the name of their site behind a separator. */
export function isSameTitle(heading: string, title: string): boolean {
  const [short, long] = [lettersOf(heading), lettersOf(title)];
  return short !== "" && (short === long || (long.startsWith(short) && short.length >= long.length / 3));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const NO_TITLE =
  /^(untitled|unknown|document\d*|title|titel|slide \d+|microsoft \w+ - .*|.*\.(docx?|rtf|odt|tex|dvi|indd|qxd|pdf|pptx?))$/i;

/** Programs put all kinds of things where the title belongs; "" when this is none. */
export function titleOfMetadata(given: string): string {
  const title = given.replace(/[\s\u0000-\u001f]+/g, " ").trim();
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  return letters < 3 || letters < title.length / 3 || NO_TITLE.test(title) ? "" : title;
}
