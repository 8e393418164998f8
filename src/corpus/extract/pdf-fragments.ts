// Reads the fragments of text on a page of a PDF, with their places and sizes.

/** The content of a page as pdf.js gives it. The items are checked here. */
export interface PageContent {
  items: readonly unknown[];
  styles: Readonly<Record<string, { fontFamily?: string }>>;
  /** The matrix from the space of the page to one with the origin at the top left. */
  transform: readonly number[];
}

/** Lengths are in points, from the top left of the upright page. */
export interface Fragment {
  text: string;
  x: number;
  right: number;
  /** The base line. */
  y: number;
  size: number;
  font: string;
  isMono: boolean;
  isRightToLeft: boolean;
  /** Its index among the items of the page. */
  order: number;
}

interface Item {
  str: string;
  transform: readonly number[];
  width: number;
  fontName: string;
  dir?: string;
}

const MAX_SIZE = 1_000;
/** Text is read in four directions, as pages may be turned. Slanted text is a stamp or a label, and is left out. */
const QUARTERS = 4;
const MAX_SLANT = 0.05;

/** The fragments in the direction of most letters, turned upright. */
export function fragmentsOf({ items, styles, transform }: PageContent): Fragment[] {
  const turned = items.flatMap((item, order) => {
    const placed = isItem(item) && item.str.trim() !== "" ? placeOf(item, transform) : null;
    return placed === null ? [] : [{ ...placed, item: item as Item, order }];
  });
  const letters = Array<number>(QUARTERS).fill(0);
  for (const { quarter, item } of turned) letters[quarter] = (letters[quarter] ?? 0) + item.str.length;
  const main = letters.indexOf(Math.max(...letters));
  return turned
    .filter(({ quarter }) => quarter === main)
    .map(({ item, order, x, y, size }) => ({
      // A form feed would count as the end of a page.
      text: item.str.replaceAll("\f", " ").trim(),
      ...upright(x, y, main),
      right: upright(x, y, main).x + item.width,
      size,
      font: item.fontName,
      isMono: styles[item.fontName]?.fontFamily === "monospace",
      isRightToLeft: item.dir === "rtl",
      order,
    }));
}

function isItem(item: unknown): item is Item {
  const { str, transform, width } = item as Partial<Item>;
  return (
    typeof str === "string" && Array.isArray(transform) && transform.every(Number.isFinite) && Number.isFinite(width)
  );
}

function placeOf(item: Item, page: readonly number[]): { x: number; y: number; size: number; quarter: number } | null {
  const [a, b, c, d, e, f] = multiplied(page, item.transform);
  const size = Math.round(Math.hypot(c, d) * 10) / 10;
  const turns = Math.atan2(b, a) / (Math.PI / 2);
  const quarter = Math.round(turns);
  if (size <= 0 || size > MAX_SIZE || Math.abs(turns - quarter) > MAX_SLANT) return null;
  return { x: e, y: f, size, quarter: (quarter + QUARTERS) % QUARTERS };
}

/** The place on the page after it was turned upright. */
function upright(x: number, y: number, quarter: number): { x: number; y: number } {
  if (quarter === 1) return { x: y, y: -x };
  if (quarter === 2) return { x: -x, y: -y };
  return quarter === 3 ? { x: -y, y: x } : { x, y };
}

type Matrix = [number, number, number, number, number, number];

function multiplied(left: readonly number[], right: readonly number[]): Matrix {
  const [a, b, c, d, e, f] = left as Matrix;
  const [g, h, i, j, k, l] = right as Matrix;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
