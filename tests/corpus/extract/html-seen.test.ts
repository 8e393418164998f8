// Takes as text all that a reader of a page sees, whatever the element is called that holds it, and whenever it opens.
import { describe, expect, test } from "bun:test";
import { textFrom } from "./texts.ts";

const FACT = "The filter of the Heron press is rinsed every 90 strokes.";
const PROSE = "<p>The Heron press was built in Riga by three sisters who wanted to make oil without heat.</p>".repeat(
  5,
);

describe("text is", () => {
  const ways: Record<string, string> = {
    "an aside in the content": `<main>${PROSE}<aside class="x-aside"><p>${FACT}</p></aside>${PROSE}</main>`,
    "an aside of a page without main": `${PROSE}<aside>${FACT}</aside>`,
    "a part that opens": `${PROSE}<details><summary>More</summary>${FACT}</details>`,
    "a part that opens, found by the search of the browser": `${PROSE}<div HIDDEN="UNTIL-FOUND">${FACT}</div>`,
    "a dialog": `${PROSE}<dialog>${FACT}</dialog>`,
    "a modal that is hidden from those who listen": `${PROSE}<div role="dialog" aria-hidden="true">${FACT}</div>`,
    "what a control opens": `${PROSE}<button aria-controls="a b">Care</button><section id="b" hidden>${FACT}</section>`,
    "what a link opens": `${PROSE}<a href="#care">Care</a><div id="care" style="display: none">${FACT}</div>`,
    "the panel of an accordion": `${PROSE}<button class="accordion">Care</button><div class="panel" style="display:none">${FACT}</div>`,
    "a form around the page": `<form id="all">${PROSE}${FACT}</form>`,
    "help in a form": `<main>${PROSE}<form><label>Strokes <input></label><p>${FACT}</p></form></main>`,
    "a legend": `<main>${PROSE}<form><fieldset><legend>${FACT}</legend><input></fieldset></form></main>`,
    "the header of an article": `<article><header><h1>Heron</h1><p>${FACT}</p></header>${PROSE}</article>`,
    "the header of a page with its own heading": `<header><h1>Heron</h1><p>${FACT}</p></header>${PROSE}`,
    "the footer of an article": `<article>${PROSE}<footer>${FACT}</footer></article>`,
    "a note in the footer of a page": `${PROSE}<footer><p>* ${FACT}</p></footer>`,
    "a sentence in a navigation": `${PROSE}<nav><p>${FACT}</p></nav>`,
    "a box called sidebar between paragraphs": `<div>${PROSE}<div class="sidebar"><p>${FACT}</p></div></div>`,
    "a part of the content that is called like cookies": `<main>${PROSE}<div class="cookie-recipe">${FACT}</div></main>`,
    "a caption": `${PROSE}<figure><img src="x"><figcaption>${FACT}</figcaption></figure>`,
    "an output": `${PROSE}<p><output>${FACT}</output></p>`,
    "a page in the page": `${PROSE}<iframe srcdoc="<p>${FACT}</p>"></iframe>`,
    "what stands for an object": `${PROSE}<object data="x"><p>${FACT}</p></object>`,
    "the text of a drawing": `${PROSE}<svg><title>Chart</title><g><text>${FACT}</text></g></svg>`,
    "an element that HTML does not know": `${PROSE}<x-note><template shadowrootmode="open">${FACT}</template></x-note>`,
    "what stands behind the end of the body": `<html><body>${PROSE}</body></html><p>${FACT}</p>`,
    "what stands beside the main part": `<body><main>${PROSE}</main><section><p>${FACT}</p></section></body>`,
    "the second main part, where the first is hidden": `<main hidden>Old</main><main>${PROSE}${FACT}</main>`,
    "what a frameset has instead": `<html><frameset><frame src="a"><noframes>${FACT}</noframes></frameset></html>`,
    "what stands behind a link that is never closed": `<a href="x">${PROSE}<p>${FACT}</p>`,
    "a cell that nothing closes": `<table><tr><td>One<td>Two<tr><td>${FACT}<td>Four</table>`,
    "a list in capitals": `<MENU><LI>One<LI>${FACT}</MENU>`,
    "an XHTML page with empty elements": `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body><div/><p>${FACT}</p></body></html>`,
  };
  for (const [name, html] of Object.entries(ways))
    test(name, async () => expect(await textFrom("html", html)).toContain(FACT));

  test("a button that a sentence names or that heads what it opens, and no other one", async () => {
    const buttons =
      "<p>Press <button>Save</button> to end.</p><div><button>Copy</button></div><h3><button>Care</button></h3>";
    expect(await textFrom("html", `${buttons}<p>${FACT}</p>`)).toBe(`Press Save to end.\n\n### Care\n\n${FACT}\n`);
  });

  test("the words of a tab above its own panel", async () => {
    const tabs =
      '<div role="tablist"><button role="tab" aria-controls="a">Linux</button><button role="tab" aria-controls="b">Windows</button></div>';
    const panels = '<div role="tabpanel" id="a">One.</div><div role="tabpanel" id="b" hidden>Two.</div>';
    expect(await textFrom("html", tabs + panels)).toBe("Linux\n\nOne.\n\nWindows\n\nTwo.\n");
  });

  test("a list of links that completes a sentence", async () => {
    const list = `<ul>${["Rape", "Flax", "Hemp", "Poppy"].map((name) => `<li><a href="${name}">${name}</a></li>`).join("")}</ul>`;
    const named = `<p>The press takes the seeds of these four plants:</p>${list}`;
    expect(await textFrom("html", PROSE + named)).toContain("plants:\n- Rape\n- Flax\n- Hemp\n- Poppy");
    expect(await textFrom("html", `${PROSE}<h2>See also</h2>${list}`)).not.toContain("Rape");
  });
});

test("what is called like a box of consent after its own words is text", async () => {
  const entries = `<h2 id="cookiedomain">CookieDomain</h2><p id="opt-cookie">Sets it.</p><div id="cookie-objects"><h2>Cookie objects</h2><p>Two.</p></div>`;
  const text = await textFrom("html", `<h1>Heron</h1>${PROSE}${entries}`);
  expect(text).toEndWith("## CookieDomain\n\nSets it.\n\n## Cookie objects\n\nTwo.\n");
  const box = `<div id="cookie-notice"><h2>Your privacy</h2><p>OUT</p></div><p class="cookie-consent">OUT</p>`;
  expect(await textFrom("html", `<h1>Heron</h1>${PROSE}${box}`)).not.toContain("OUT");
});

describe("no text is", () => {
  const menu =
    '<div><a href="a">Home</a></div><div><a href="b">News</a></div><div><a href="c">Shop</a></div><div><a href="d">About</a></div>';
  const ways: Record<string, string> = {
    "the banner of the site": `<div>OUT<p>Small. Quick.</p><div>${menu}</div></div><h1>Heron</h1>${PROSE}`,
    "a table of contents in boxes": `<h1>Heron</h1><div>OUT ${menu}</div>${PROSE}`,
    "the links to other languages": `<h1>Heron</h1><p>OUT <a href="de" hreflang="de">de</a> | <a href="fr" hreflang="fr">fr</a></p>${PROSE}`,
    "the way on, in capitals": `${PROSE}<DIV CLASS="NAVFOOTER"><TABLE><TR><TD>OUT<TD><A HREF="a">Prev</A><TR><TD><A HREF="b">Cups</A></TABLE></DIV>`,
    "a list of the ways on": `${PROSE}<ul class="docnav"><li><a href="a"><strong>OUT</strong></a></li><li><a href="b">Next</a></li></ul>`,
    "a navigation": `<nav>OUT ${menu}</nav>${PROSE}`,
    "an imprint": `${PROSE}<footer><p>OUT This page is about a press that does not exist. © 2024 All rights reserved.</p></footer>`,
    "a search form": `<form action="/search">OUT <input></form>${PROSE}`,
    "the consent to cookies": `${PROSE}<div class="cookie-bar">OUT We use cookies for everything that we do here.</div>`,
    "an aside of links": `${PROSE}<aside>OUT ${menu}</aside>`,
    "what no control opens": `${PROSE}<p hidden>OUT</p>`,
    "an icon": `${PROSE}<p>Save <i aria-hidden="true">OUT</i></p>`,
  };
  for (const [name, html] of Object.entries(ways))
    test(name, async () => {
      const text = await textFrom("html", html);
      expect(text).not.toMatch(/OUT|Home|hreflang|de \|/);
      expect(text).toContain("The Heron press was built in Riga");
    });
});

describe("what is no text leaves a mark in its sentence", () => {
  const marks: Record<string, [html: string, text: string]> = {
    "a raised or lowered number": [
      "About 10<sup>6</sup> grains of H<sub>2</sub>O, 10<sup>-3</sup>, 2<sup>1/2</sup>, the 1<sup>st</sup>.",
      "About 10⁶ grains of H₂O, 10⁻³, 2^(1/2), the 1st.",
    ],
    "a formula, unless it was written in words": [
      'So <math><msup><mi>r</mi><mn>2</mn></msup></math>, <math><mi>x</mi><mo>=</mo><mn>2</mn></math>, <math alttext="a^2"><mi>a</mi></math>.',
      "So [formula], x=2, a^2.",
    ],
    "a formula in TeX, once": [
      'So <math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\hat x</annotation></semantics></math><span aria-hidden="true">x</span> and <script type="math/tex">y^2</script>.',
      "So \\hat x and y^2.",
    ],
    "a picture, but no ornament": [
      '<img>Press <img> or <img alt="Save"> now<img alt=""> or later. <img alt="x">',
      "Press [picture] or Save now or later.",
    ],
    "a field and an object": [
      "Set <input value=7> of <select><option>a</select> in <video>old</video> here.",
      "Set 7 of [field] in [object] here.",
    ],
    "a tooltip, which follows": [
      'A press<span role="tooltip">Made in Riga.</span> runs.',
      "A press runs.\n\nMade in Riga.",
    ],
  };
  for (const [name, [html, text]] of Object.entries(marks))
    test(name, async () => expect(await textFrom("html", `<p>${html}</p>`)).toBe(`${text}\n`));
});

describe("tables and keywords", () => {
  test("a row of plain cells names no columns", async () => {
    const rows = "<tr><td>SHARED</td><td>May read.</td></tr><tr><td>RESERVED</td><td>May write.</td></tr>";
    const body = "| SHARED | May read. |\n| RESERVED | May write. |\n";
    expect(await textFrom("html", `<table>${rows}</table>`)).toBe(`|  |  |\n| --- | --- |\n${body}`);
    for (const head of [
      "<thead><tr><td>Name<td>Use</thead>",
      "<tr><td><b>Name</b><td><p><strong>Use</strong></p>",
      '<tr class="header"><td>Name<td>Use',
    ])
      expect(await textFrom("html", `<table>${head}${rows}</table>`)).toBe(`| Name | Use |\n| --- | --- |\n${body}`);
  });

  test("a sign that is all that a cell holds is its words", async () => {
    const table =
      '<table><tr><th>System<th>Runs<tr><td>Linux<td><img alt="yes"><tr><td>Other<td><img alt="no"></table>';
    expect(await textFrom("html", table)).toEndWith("| Linux | yes |\n| Other | no |\n");
  });

  test("keywords with anchors head what is said of them, where a page has many", async () => {
    const entry = (word: string): string =>
      `<div class="k"><b><a name="${word}">${word}</a></b> &lt;n&gt;</div><p>Sets ${word}.</p>`;
    const words = Array.from({ length: 12 }, (_, at) => `word${at}`);
    const text = await textFrom("html", `<h1>Words</h1><h2>4.2 All</h2>${words.map(entry).join("")}`);
    expect(text).toContain("## 4.2 All\n\n### word0 <n>\n\nSets word0.\n\n### word1 <n>");
    expect(await textFrom("html", `<h2>All</h2>${entry("word1")}`)).not.toContain("# word1");
  });

  const WORDS = ["balance", "cookie", "drain", "errors", "flush", "grace", "hold", "insert", "join", "keep", "limit"];
  const readAs = async (entry: (word: string, at: number) => string): Promise<string> =>
    await textFrom("html", `<h1>Words</h1><h2>4.2 All</h2>${WORDS.map(entry).join("")}`);

  test("the anchor may be the line's own, or before it, and have the name of its kind", async () => {
    const said = "<p>It says what the press does next.</p>";
    for (const entry of [
      (word: string) => `<p id="opt-${word}"><code>${word}</code> <i>value</i></p>${said}`,
      (word: string) => `<a name="directive_${word}"></a><div><b>${word}</b></div>${said}`,
      (word: string) => `<p><span id="${word}"></span><strong>--${word}</strong></p>${said}`,
    ])
      expect(await readAs(entry)).toMatch(/## 4\.2 All\n\n### (--)?balance.*\n\nIt says what.*\n\n### (--)?cookie/);
  });

  test("no keyword is a caption, a line of a table of contents, a sentence, or a name without an anchor of it", async () => {
    for (const line of [
      (_word: string, at: number) =>
        `<p id="figure-${at + 1}"><b>Figure ${at + 1}</b>: the press</p><p>More on it.</p>`,
      (word: string) => `<p><a id="toc-${word}" href="#${word}">${word}</a> and its use</p>`,
      (word: string) => `<p>See <a name="${word}">${word}</a> for it</p><p>More on it.</p>`,
      (word: string, at: number) => `<p id="x${at}"><b>${word}</b></p><p>More on it.</p>`,
    ])
      expect(await readAs(line)).not.toContain("###");
  });
});

describe("a list of anchored terms with long definitions", () => {
  const long = `<p>${"It turns the wheel. ".repeat(40)}</p>`;
  const entry = (term: string, said: string): string => `<dt id="${term}"><code>${term}</code>(n)</dt><dd>${said}</dd>`;
  const page = (list: string, behind = ""): string => `<h1>Mill</h1><h2>Functions</h2>${list}${behind}`;

  test("has its terms as headings, and what follows belongs to the section", async () => {
    const first = `<dl>${entry("turn", `${long}${long}<p>It may fail.</p>`)}</dl>`;
    const others = `<dl><dt id="stop">stop()</dt><dt id="halt">halt()</dt><dd><p>Stops it.</p></dd></dl>`;
    const text = await textFrom("html", page(first + others, "<p>All of them wait.</p><h2>Constants</h2><p>None.</p>"));
    expect(text).toContain("## Functions\n\n### turn(n)\n\nIt turns");
    expect(text).toEndWith(
      "It may fail.\n\n### stop(), halt()\n\nStops it.\n\n## Functions\n\nAll of them wait.\n\n## Constants\n\nNone.\n",
    );
  });

  test("in an entry of another one, its terms are one level deeper", async () => {
    const methods = `<dl>${entry("grind", long + long)}</dl><p>A mill is closed by itself.</p>`;
    const text = await textFrom("html", page(`<dl>${entry("Mill", `<p>A mill.</p>${methods}`)}</dl>`));
    expect(text).toContain("### Mill(n)\n\nA mill.\n\n#### grind(n)\n\nIt turns");
    expect(text).toEndWith("\n\n### Mill(n)\n\nA mill is closed by itself.\n");
  });

  test("is a list of definitions where all are short, or terms have no anchors", async () => {
    expect(await textFrom("html", page(`<dl>${entry("turn", "<p>Turns it.</p>")}</dl>`))).toContain(
      "turn(n)\n: Turns it.",
    );
    const plain = entry("turn", long + long).replace(/ id="turn"/, "");
    expect(await textFrom("html", page(`<dl>${plain}</dl>`))).toContain("turn(n)\n: It turns");
    const some = `<dl>${entry("turn", long + long)}<dt>stop</dt><dd>Stops it.</dd></dl>`;
    expect(await textFrom("html", page(some))).not.toContain("###");
  });
});

describe("preformatted text", () => {
  test("a blank line in the middle of a sentence does not make code of it", async () => {
    const lines = [
      "insert    This keyword says that the answer has to",
      "          be kept by the press when it has",
      "",
      "          no other one to give to those who asked.",
    ];
    expect(await textFrom("html", `<pre>${lines.join("\n")}</pre>`)).toBe(
      "insert\n: This keyword says that the answer has to be kept by the press when it has no other one to give to those who asked.\n",
    );
    expect(await textFrom("html", "<pre>Sets how often the filter is rinsed.</pre>")).toBe(
      "Sets how often the filter is rinsed.\n",
    );
  });
});

test("a page that a script fills has no text", async () => {
  const page = (body: string): string =>
    `<html><head><title>Press</title></head><body>${body}<div id="app"></div><script>x = "${FACT}"</script></body></html>`;
  expect(await textFrom("html", page(""))).toBe("unfit: needs_script");
  expect(await textFrom("html", page("<noscript>Please switch on JavaScript.</noscript>"))).toBe("unfit: needs_script");
  expect(await textFrom("web_page", page(""))).toBe("unfit: needs_script");
});
