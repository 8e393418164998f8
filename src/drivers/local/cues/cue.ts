// Builds a pattern of words in several languages that show what a sentence is.

/** `words` stand alone, between spaces or marks; `anywhere` also inside, as in scripts without spaces. */
export function cue(words: readonly string[], anywhere: readonly string[] = []): RegExp {
  const alone = `(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`;
  return new RegExp([alone, ...anywhere].join("|"), "iu");
}

/** The same, but only where a sentence begins. */
export function opening(words: readonly string[], anywhere: readonly string[] = []): RegExp {
  const alone = `(?:${words.join("|")})(?![\\p{L}\\p{N}])`;
  return new RegExp(`^["'“‘«„([*_\`]*(?:${[alone, ...anywhere].join("|")})`, "iu");
}
