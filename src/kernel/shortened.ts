// Cuts text for a message without leaving half a character behind.

/** At most `length` UTF-16 units, always well-formed. */
export function shortened(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
