// Reads attributes and texts of elements from XML, by the local name of the element. Packages of books need no more.

/** The attributes of each element, in the order of the file. Their names keep their prefixes. */
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

/** Replaces only the five entities of XML and characters by number. Entities of the document could grow without end. */
function plainText(escaped: string): string {
  return escaped.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
