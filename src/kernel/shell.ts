// Quotes words for sh, so that printed commands run as they are.
import { shownText } from "./shown-text.ts";

/**
 * The word as it is when nothing in it is special, else in single quotes. What a terminal would obey is written as the octal
 * numbers of its bytes, which `printf` of every shell turns back.
 */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  if (isObeyed(text) && !text.endsWith("\n")) return `"$(printf '${printfFormat(text)}')"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function isObeyed(text: string): boolean {
  return /[\t\n]/.test(text) || shownText(text) !== text;
}

function printfFormat(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[A-Za-z0-9_./:=@+,~ ]/.test(sign) ? sign : `\\${byte.toString(8).padStart(3, "0")}`;
    })
    .join("");
}
