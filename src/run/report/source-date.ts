// Reads the date and the version that a document states of itself: in its metadata, its front matter, or a line such as "last
// modified on 26 November 2018". The file system is not consulted, since a copy has the day of the copying.
export interface StatedDate {
  /** `2018-11-26` or `2018-11`. */
  dated?: string;
  version?: string;
}

export interface Stating {
  media_type: string;
  bytes: Uint8Array;
  text: Uint8Array;
}

/** Metadata stands near the beginning; in a PDF, at either end. */
const HEAD_BYTES = 64 * 1024;
/** A line about the whole document is among its first or its last characters. */
const MARGIN = 1_500;

export function statedDate({ media_type, bytes, text }: Stating): StatedDate {
  const head = decoded(text.subarray(0, MARGIN));
  const foot = decoded(text.subarray(Math.max(0, text.byteLength - MARGIN)));
  const raw = rawMetadata(media_type, bytes);
  const fields = [...frontMatter(head), ...raw];
  const dated =
    [...MODIFIED, ...PUBLISHED].flatMap((name) =>
      fields.flatMap(([key, value]) => (key === name ? dateIn(value) : [])),
    )[0] ?? [foot, head].flatMap(stampIn)[0];
  const version = fields.find(([key]) => key === "version")?.[1] ?? VERSION.exec(head)?.[1];
  return {
    ...(dated === undefined ? {} : { dated }),
    ...(version === undefined || !IS_VERSION.test(version) ? {} : { version }),
  };
}

// --- metadata -----------------------------------------------------------------------------------------------------

const MODIFIED =
  "lastmod last_modified last-modified modified updated article:modified_time og:updated_time dcterms.modified datemodified moddate".split(
    " ",
  );
const PUBLISHED = "date dc.date dcterms.date dcterms.created article:published_time datepublished creationdate".split(
  " ",
);
const KNOWN = new Set([...MODIFIED, ...PUBLISHED, "version"]);

type Field = readonly [key: string, value: string];

const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n([\s\S]{0,1400}?)\r?\n---[ \t]*(?:\r?\n|$)/;

function frontMatter(head: string): Field[] {
  const [, inside = ""] = FRONT_MATTER.exec(head) ?? [];
  return inside.split(/\r?\n/).flatMap((line): Field[] => {
    const [, key = "", value = ""] = /^([\w.-]{1,30}):[ \t]*["']?([^"'\n]{1,60})/.exec(line) ?? [];
    return KNOWN.has(key.toLowerCase()) ? [[key.toLowerCase(), value.trim()]] : [];
  });
}

const META = /<meta\b([^<>]{1,500})>/giu;
const JSON_DATE = /"(dateModified|datePublished)"\s*:\s*"([^"]{1,40})"/gu;
const PDF_DATE = /\/(ModDate|CreationDate)\s*\(D:(\d{4})(\d\d)?(\d\d)?/gu;

function rawMetadata(media_type: string, bytes: Uint8Array): Field[] {
  if (media_type.includes("html")) {
    const raw = decoded(bytes.subarray(0, HEAD_BYTES));
    const metas = [...raw.matchAll(META)].flatMap(([, attributes = ""]): Field[] => {
      const key = /\b(?:name|property|itemprop)\s*=\s*["']([^"']{1,60})["']/iu.exec(attributes)?.[1]?.toLowerCase();
      const value = /\bcontent\s*=\s*["']([^"']{1,60})["']/iu.exec(attributes)?.[1];
      return key === undefined || value === undefined || !KNOWN.has(key) ? [] : [[key, value]];
    });
    return [
      ...metas,
      ...[...raw.matchAll(JSON_DATE)].map(([, key = "", value = ""]): Field => [key.toLowerCase(), value]),
    ];
  }
  if (!media_type.includes("pdf")) return [];
  const ends = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(Math.max(0, bytes.byteLength - HEAD_BYTES))];
  return ends.flatMap((end) =>
    [...Buffer.from(end).toString("latin1").matchAll(PDF_DATE)].map(
      ([, key = "", year = "", month = "01", day = "01"]): Field => [key.toLowerCase(), `${year}-${month}-${day}`],
    ),
  );
}

// --- lines --------------------------------------------------------------------------------------------------------

const MONTHS = "january february march april may june july august september october november december".split(" ");
const DAY = String.raw`\d{4}-\d\d-\d\d|\d{1,2}\.? \p{L}{3,9}\.?,? \d{4}|\p{L}{3,9}\.? \d{1,2}, \d{4}|\d{1,2}\.\d{1,2}\.\d{4}`;
const STAMP = new RegExp(
  String.raw`(?:last (?:modified|updated|changed|reviewed|revised|edited)|date of issue|zuletzt (?:geändert|aktualisiert|bearbeitet)|letzte änderung|stand|dernière (?:mise à jour|modification)|última actualización)[^\p{L}\p{N}\n]{0,6}(?:on|by|am|le|el|vom|date)?[^\p{L}\p{N}\n]{0,4}(${DAY})`,
  "giu",
);
const VERSION = /(?:^|\n)[^\n]{0,80}\bversion:?[ \t]+v?(\d{1,4}(?:\.\d{1,4}){1,3})\b/iu;
const IS_VERSION = /^v?\d[\w.+-]{0,29}$/;

function stampIn(margin: string): string[] {
  return [...margin.matchAll(STAMP)].flatMap(([, day = ""]) => dateIn(day)).slice(-1);
}

/** A date that is one; of `2018-11-26T08:00:00Z` the day. */
function dateIn(said: string): string[] {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)(?:-(\d\d))?(?!\d)/.exec(said.trim()) ?? [];
  if (isoYear !== undefined) return valid(isoYear, Number(isoMonth), isoDay === undefined ? null : Number(isoDay));
  const [, dotDay, dotMonth, dotYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(said) ?? [];
  if (dotYear !== undefined) return valid(dotYear, Number(dotMonth), Number(dotDay));
  const year = /\d{4}/.exec(said)?.[0];
  const name = /\p{L}{3,9}/u.exec(said)?.[0].toLowerCase() ?? "";
  const month = MONTHS.findIndex((one) => one.startsWith(name.slice(0, 3))) + 1;
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(said)?.[0];
  return year === undefined || month === 0 || day === undefined ? [] : valid(year, month, Number(day));
}

const [FIRST_YEAR, LAST_YEAR] = [1900, 2100];

function valid(year: string, month: number, day: number | null): string[] {
  const isYear = Number(year) >= FIRST_YEAR && Number(year) <= LAST_YEAR;
  if (!isYear || month < 1 || month > 12 || (day !== null && (day < 1 || day > 31))) return [];
  const two = (number: number): string => String(number).padStart(2, "0");
  return [day === null ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`];
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
