// The little of XML that the package of a book needs: attributes and texts of elements, by their name without prefix.

/** In the order of the file; prefixes of attributes are kept. */
export function attributesOf(xml: string, name: string): Record<string, string | undefined>[] {
  const tag = new RegExp(`<(?:[\\w-]+:)?${name}\\s([^<>]*)>`, "g");
  return [...xml.matchAll(tag)].map((found) =>
    Object.fromEntries(
      [...(found[1] ?? "").matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
        ([, key, double, single]) => [key ?? "", plainText(double ?? single ?? "")] as const,
      ),
    ),
  );
}

export function textsOf(xml: string, name: string): string[] {
  const element = new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^<>]*)?>([^<]*)<`, "g");
  return [...xml.matchAll(element)].map((found) => plainText(found[1] ?? "").trim());
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** No entity but the five of XML itself, and characters by number: nothing can grow. */
export function plainText(escaped: string): string {
  return escaped.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
