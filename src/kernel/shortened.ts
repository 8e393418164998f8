// Cuts text for a message without leaving half a character behind.

/** At most `length` UTF-16 units, always well-formed. */
export function shortened(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

/** The same up to the end of a word, with dots where something was left out. */
export function shortenedWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = shortened(text, length - 3);
  const end = /\s\S*$/u.exec(text.slice(0, cut.length + 1))?.index ?? 0;
  return `${end > length / 2 ? cut.slice(0, end) : cut}...`;
}
