// The language that the fence of a block of code names. Loads nothing.

export const CODE_LANGUAGE = /^[\p{L}\p{N}+#._-]{1,40}$/u;

/** The first word behind the signs of a fence, where it can be the name of a language. */
export function languageIn(info: string): { language?: string } {
  const [language = ""] = info.trim().split(/\s/u, 1);
  return CODE_LANGUAGE.test(language) ? { language } : {};
}
