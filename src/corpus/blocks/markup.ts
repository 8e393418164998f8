// Distinguishes markup at the beginning of a line from a placeholder: `<div>` is an element, `<file>` stands for a name.

const OPENING = /^\s*<(?:!--|\/?([a-z][a-z0-9-]*)(?:[\s>/]|$))/i;
/** Source: HTML Standard; the last line has obsolete elements, which pages still use. */
const ELEMENTS = new Set(
  (
    "a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col " +
    "colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta " +
    "meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search " +
    "section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th " +
    "thead time title tr track u ul var video wbr acronym big center dir font frame frameset marquee nobr param strike tt"
  ).split(" "),
);

/** Names with capitals or hyphens are components, as of MDX. */
export function opensMarkup(line: string): boolean {
  const found = OPENING.exec(line);
  if (found === null) return false;
  const name = found[1];
  return name === undefined || /[A-Z-]/.test(name) || ELEMENTS.has(name);
}
