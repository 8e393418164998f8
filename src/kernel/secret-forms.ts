// Masks secrets in text from outside, in each form in which they may come back.

/** The longest form comes first, so that none is masked in part. Base64 has no padding, since more may follow it. */
export function formsOf(secrets: readonly string[]): string[] {
  return secrets
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    ])
    .toSorted((left, right) => right.length - left.length);
}

export function masked(text: string, forms: readonly string[], mask: string): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, mask), text);
}
