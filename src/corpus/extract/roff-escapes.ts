// Replaces the escapes of roff by the characters that a reader sees. Fonts and motions vanish.

/** A mark in texts: the words before and behind it have no space between them. */
export const GLUE = "\u0001";

/** The strings and registers that the page has defined so far. */
export interface RoffNames {
  strings: Map<string, string>;
  registers: Map<string, number>;
}

const SIGNS = pairsOf(
  "bu • em — en – hy - mi - aq ' dq \" oq ‘ cq ’ lq “ rq ” bq ‚ Bq „ Fo « Fc » fo ‹ fc › ga ` aa ´ ha ^ ti ~ rs \\ sl / " +
    "ul _ ru _ or | ba | bv | br | at @ sh # Do $ lB [ rB ] lC { rC } la < ra > co © rg ® tm ™ de ° mu × tmu × di ÷ +- ± " +
    "pl + eq = <= ≤ >= ≥ != ≠ == ≡ ~~ ≈ ~= ≅ ap ~ if ∞ no ¬ pc · md ⋅ ci ○ sq □ -> → <- ← <> ↔ ua ↑ da ↓ rA ⇒ lA ⇐ dA ⇓ " +
    "sc § ps ¶ dg † dd ‡ fm ′ sd ″ 12 ½ 14 ¼ 34 ¾ S1 ¹ S2 ² S3 ³ ct ¢ Po £ Ye ¥ Eu € eu € OK ✓ ss ß ae æ AE Æ oe œ OE Œ " +
    "oa å oA Å /o ø /O Ø /l ł /L Ł vs š vS Š vz ž vZ Ž vc č vC Č r! ¡ r? ¿ TP Þ Tp þ -D Ð Sd ð .i ı fi fi fl fl ff ff",
);
const ACCENTS = pairsOf("' \u0301 ` \u0300 ^ \u0302 ~ \u0303 : \u0308 , \u0327");
const GREEK = pairsOf(
  "a α b β g γ d δ e ε z ζ y η h θ i ι k κ l λ m μ n ν c ξ o ο p π r ρ s σ t τ u υ f φ x χ q ψ w ω G Γ D Δ H Θ L Λ S Σ F Φ Q Ψ W Ω",
);
/** Strings that the macros of man(7) and mdoc(7) define. */
const STRINGS = pairsOf("R ® Tm ™ lq “ rq ” Lq “ Rq ” Aq ' q \" Ba | Lt < Gt > Le ≤ Ge ≥ Ne ≠ Am &");
/** Pages check with this register whether groff prints them; in groff it is 1. */
const REGISTERS: ReadonlyMap<string, number> = new Map([[".g", 1]]);

const NAME = String.raw`\((?:..)|\[[^\]\n]{0,80}\]|[^(\[\n]`;
const QUOTED = String.raw`'((?:\\w'[^'\n]{0,80}'|[^'\n]){0,200})'`;
const ESCAPE = new RegExp(
  String.raw`\\(?:(\*|n[-+]?)(${NAME})|[fFgkmMVY](?:${NAME})|s[-+]?(?:[1-3]\d|\d|\(..|\[[^\]\n]{0,9}\]|'[^'\n]{0,9}')|` +
    String.raw`([ABbCDHhLlNoRSvwXxZ])${QUOTED}|(\(..|\[[^\]\n]{0,80}\])|([^]|$))`,
  "g",
);
/** Escapes of one letter that show nothing. */
const UNSEEN = new Set("&)/,|^%:{}dupraz!?".split(""));
const SPACES = new Set([" ", "~", "0", "t"]);

export function plainOf(raw: string, names: RoffNames): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(
    ESCAPE,
    (_, kind?: string, name?: string, drawing?: string, drawn = "", sign?: string, other = "") => {
      if (kind === "*") return stringOf(nameOf(name), names);
      if (kind !== undefined) return String(registerOf(nameOf(name), names));
      if (drawing !== undefined) return seenOf(drawing, drawn, names);
      if (sign !== undefined) return signOf(nameOf(sign));
      if (other === "c") return GLUE;
      if (other === "e" || other === "E") return "\\";
      if (other === "'") return "´";
      if (SPACES.has(other)) return " ";
      return UNSEEN.has(other) ? "" : other;
    },
  );
}

export function registerOf(name: string, { registers }: RoffNames): number {
  return registers.get(name) ?? REGISTERS.get(name) ?? 0;
}

/** The name in `\*(ab`, `\*[name args]` or `\*a`. */
function nameOf(written = ""): string {
  if (written.startsWith("(")) return written.slice(1);
  return written.startsWith("[") ? (written.slice(1, -1).split(" ", 1)[0] ?? "") : written;
}

function stringOf(name: string, { strings }: RoffNames): string {
  return strings.get(name) ?? STRINGS.get(name) ?? "";
}

function seenOf(drawing: string, drawn: string, names: RoffNames): string {
  if (drawing === "C") return signOf(drawn);
  if (drawing === "N") return String.fromCharCode(Number(drawn) || 0);
  if (drawing === "w") return String(plainOf(drawn, names).length);
  // A motion to the right shows as a space.
  if (drawing === "h") return drawn.startsWith("-") ? "" : " ";
  if (drawing === "o") return plainOf(drawn, names).slice(0, 1);
  return drawing === "Z" || drawing === "b" ? plainOf(drawn, names) : "";
}

function signOf(name: string): string {
  const [first = "", second = ""] = name;
  const accent = name.length === 2 ? ACCENTS.get(first) : undefined;
  const points = /^u[\dA-F]{4,5}(?:_[\dA-F]{4,5})*$/.test(name) ? name.slice(1).split("_") : [];
  if (points.length > 0)
    return points
      .map((point) => String.fromCodePoint(Number.parseInt(point, 16)))
      .join("")
      .normalize();
  if (accent !== undefined) return (second + accent).normalize();
  return (first === "*" ? GREEK.get(second) : undefined) ?? SIGNS.get(name) ?? "";
}

function pairsOf(list: string): Map<string, string> {
  const words = list.split(" ");
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""] as const] : [])));
}
