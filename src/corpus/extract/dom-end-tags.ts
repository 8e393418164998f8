// Finds where elements end whose end tags are left out. Source: HTML Standard.
import { namesIn } from "./dom.ts";

/** Elements without an end. */
export const VOID = namesIn("area base basefont br col embed frame hr img input link meta param source track wbr");

/** Where the search for the element that a start tag ends stops. */
export const CELL_SCOPE = namesIn("table td th caption template object button svg math");
export const ROW_SCOPE = namesIn("table template");
const ITEM_SCOPE = CELL_SCOPE.union(
  namesIn(
    "ul ol menu dir dl details section article aside blockquote center figure fieldset footer form header main nav pre " +
      "h1 h2 h3 h4 h5 h6 summary",
  ),
);
const LINK_SCOPE = ITEM_SCOPE.union(namesIn("p div li dt dd"));

interface Closing {
  names: ReadonlySet<string>;
  scope: ReadonlySet<string>;
}

/** What a start tag ends, and within what. */
export const CLOSED_BY: ReadonlyMap<string, Closing> = new Map([
  ...closing(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup " +
      "hr main menu nav ol p pre search section summary table ul",
    "p",
    CELL_SCOPE,
  ),
  ...closing("h1 h2 h3 h4 h5 h6", "p h1 h2 h3 h4 h5 h6", CELL_SCOPE),
  ...closing("a", "a", LINK_SCOPE),
  ...closing("li", "li", ITEM_SCOPE),
  ...closing("dt dd", "dt dd", ITEM_SCOPE),
  ...closing("rt rp", "rt rp", namesIn("ruby")),
  ...closing("td th", "td th caption", ROW_SCOPE),
  ...closing("tr", "tr caption colgroup", ROW_SCOPE),
  ...closing("thead tbody tfoot", "thead tbody tfoot tr caption colgroup", ROW_SCOPE),
  ...closing("option", "option", namesIn("select datalist")),
  ...closing("optgroup", "option optgroup", namesIn("select")),
]);
export const OF_TABLES = namesIn("table thead tbody tfoot tr td th caption");

function closing(starts: string, names: string, scope: ReadonlySet<string>): [string, Closing][] {
  return starts.split(" ").map((start) => [start, { names: namesIn(names), scope }]);
}
