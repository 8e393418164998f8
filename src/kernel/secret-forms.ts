// The forms in which a secret may come back in what somebody else says, and text without them.

/** The longest first, so that none is masked in part. Base64 without what fills it up: more may follow it. */
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
