// Repairs letters that older programs wrote in their own way: accents as characters before their letter, and ligatures by
// their number in the font.

const COMBINING: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030A",
  "˝": "\u030B",
  ˇ: "\u030C",
  "¸": "\u0327",
};
/** A backtick is an accent only inside of a word. */
const ACCENTED = /([´ˆ˜˘˙¨˚˝ˇ¸]|(?<=\p{L})`)([A-Za-zıȷ])/gu;
const DOTLESS: Readonly<Record<string, string>> = { ı: "i", ȷ: "j" };

/** In the Cork encoding of TeX fonts these are control characters, which no text has next to a letter. */
const LIGATURES = ["ff", "fi", "fl", "ffi", "ffl"];
const FIRST_LIGATURE = 0x1b;
const LIGATURE = /(?<=\p{L})[\u001B-\u001F]|[\u001B-\u001F](?=\p{L})/gu;

export function withWholeLetters(text: string): string {
  return text
    .replace(LIGATURE, (sign) => LIGATURES[sign.charCodeAt(0) - FIRST_LIGATURE] ?? sign)
    .replace(ACCENTED, (pair, accent: string, letter: string) => withAccent(letter, accent) ?? pair);
}

/** Null when no such letter exists: the sign may be one of mathematics. */
function withAccent(letter: string, accent: string): string | null {
  const accented = `${DOTLESS[letter] ?? letter}${COMBINING[accent] ?? ""}`.normalize("NFC");
  return Array.from(accented).length === 1 ? accented : null;
}
