// Says where elements end whose end tags are left out.

/** Which start tags end an element whose end tag is left out, and where the search for it stops. Source: HTML Standard. */
export const CELL_SCOPE = new Set("table td th caption template object button svg math".split(" "));
export const ROW_SCOPE = new Set("table template".split(" "));
const ITEM_SCOPE = CELL_SCOPE.union(
  new Set(
    (
      "ul ol menu dir dl details section article aside blockquote center figure fieldset footer form header main nav pre " +
      "h1 h2 h3 h4 h5 h6 summary"
    ).split(" "),
  ),
);
const P = new Set(["p"]);
export const CLOSED_BY = new Map<string, { names: ReadonlySet<string>; scope: ReadonlySet<string> }>([
  ...(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup " +
    "hr main menu nav ol p pre search section summary table ul"
  )
    .split(" ")
    .map((name) => [name, { names: P, scope: CELL_SCOPE }] as const),
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map(
    (name) => [name, { names: new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6"]), scope: CELL_SCOPE }] as const,
  ),
  ["a", { names: new Set(["a"]), scope: ITEM_SCOPE.union(new Set(["p", "div", "li", "dt", "dd"])) }],
  ["li", { names: new Set(["li"]), scope: ITEM_SCOPE }],
  ...["dt", "dd"].map((name) => [name, { names: new Set(["dt", "dd"]), scope: ITEM_SCOPE }] as const),
  ...["rt", "rp"].map((name) => [name, { names: new Set(["rt", "rp"]), scope: new Set(["ruby"]) }] as const),
  ...["td", "th"].map((name) => [name, { names: new Set(["td", "th", "caption"]), scope: ROW_SCOPE }] as const),
  ["tr", { names: new Set(["tr", "caption", "colgroup"]), scope: ROW_SCOPE }],
  ...["thead", "tbody", "tfoot"].map(
    (name) => [name, { names: new Set("thead tbody tfoot tr caption colgroup".split(" ")), scope: ROW_SCOPE }] as const,
  ),
  ["option", { names: new Set(["option"]), scope: new Set(["select", "datalist"]) }],
  ["optgroup", { names: new Set(["option", "optgroup"]), scope: new Set(["select"]) }],
]);
export const OF_TABLES = new Set("table thead tbody tfoot tr td th caption".split(" "));
