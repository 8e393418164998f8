// Reads the rows of a table in the source of tbl(1): options, the format of columns, then a line for each row.

/** The line after which another format of columns follows. */
export const NEXT_FORMAT = ".T&";

/** The first row has the column names; it is empty when neither a rule nor a format of its own sets them apart. */
export function rowsOfTbl(lines: readonly string[]): string[][] {
  const rows: string[][] = [];
  const formats: string[] = [];
  let [separator, isFormat, isInCell, isNamed] = ["\t", true, false, false];
  for (const line of lines) {
    if (isFormat) {
      separator = /\btab *\((.)\)/i.exec(line)?.[1] ?? separator;
      if (!line.trimEnd().endsWith(";") && rows.length === 0) formats.push(...line.split(",").map(formatOf));
      isFormat = !line.trimEnd().endsWith(".");
    } else if (line === NEXT_FORMAT) isFormat = true;
    else if (/^[_=]$/.test(line.trim())) isNamed ||= rows.length === 1;
    else {
      const row = isInCell ? rows.at(-1) : undefined;
      const cells = line.split(separator);
      if (row !== undefined && !line.startsWith("T}")) row.push((row.pop() ?? "") + behindCell(line));
      else if (row !== undefined) row.push(...cells.slice(1));
      else rows.push(cells);
      const last = rows.at(-1) ?? [];
      if (row === undefined || line.startsWith("T}")) isInCell = last.at(-1) === "T{";
      if (isInCell && last.at(-1) === "T{") last[last.length - 1] = "";
    }
  }
  const filled = rows.filter((row) => row.some((cell) => /[^_=\s]/.test(cell)));
  return filled.length === 0 || isNamed || formats[0] !== formats.at(-1) ? filled : [[], ...filled];
}

function formatOf(format: string): string {
  return format.toLowerCase().replace(/[\s|.]+/g, "");
}

/** Trims only the line, since trimming the whole cell for each of its lines would be quadratic. */
function behindCell(line: string): string {
  const words = line.trim();
  return words === "" ? "" : ` ${words}`;
}
