// HTML pages become the plain Markdown of what a reader sees.
import { describe, expect, test } from "bun:test";
import { textFrom } from "./texts.ts";

const SENTENCES = [
  "Bees in towns find food on balconies, in gardens and along the tracks of the railways, from March until October.",
  "The hives are two or three degrees warmer there, so that the colonies begin to breed earlier than in the country.",
  "Keepers who look away in February pay for that in autumn, because the mites have bred earlier as well.",
];
const article = SENTENCES.map((sentence) => `<p>${sentence}</p>`).join("\n");

describe("main content", () => {
  test("navigation, banners, scripts and footers are left out; the title is above", async () => {
    const page = `<!doctype html><html><head><title>Bees in the City | The Small Animal Site</title>
      <style>p { color: red }</style><script>var nothing = "seen";</script></head><body>
      <nav><ul><li><a href="/">Home</a></li><li><a href="/all">All animals</a></li></ul></nav>
      <div class="cookie-banner">We use cookies for everything.</div>
      <main><article><h1>Bees in the City</h1>${article}<h2>Winter</h2>${article}</article></main>
      <footer>Imprint and privacy</footer></body></html>`;
    const text = await textFrom("html", page);
    const body = SENTENCES.join("\n\n");
    expect(text).toBe(`# Bees in the City\n\n${body}\n\n## Winter\n\n${body}\n`);
  });

  test("a page without an article is taken as a whole, without what surrounds it", async () => {
    const page = `<html><head><title>Hours</title></head><body><nav>Home</nav><h2>Opening hours</h2>
      <p>Monday to Friday.</p><aside><a href="/shop">Buy now</a></aside></body></html>`;
    expect(await textFrom("html", page)).toBe("# Hours\n\n## Opening hours\n\nMonday to Friday.\n");
  });

  test("text that Readability would drop in the middle of a page is kept", async () => {
    const parts = ["One", "Two"].map((name) => `<div class="sidebar comment"><h2>${name}</h2>${article}</div>`);
    const text = await textFrom("html", `<html><body><div>${parts.join("")}</div></body></html>`);
    expect(text.split(SENTENCES[0] ?? "")).toHaveLength(3);
  });
});

test("names of attributes may be written in capitals", async () => {
  const around = `<UL>${["Ants", "Bugs", "Crabs", "Deer"].map((name) => `<LI><A HREF="x">${name}</A>`).join("")}</UL>`;
  const body = `${around}<H1>Bees</H1><P HIDDEN="">Draft</P>${article}`;
  const text = await textFrom("html", `<HTML><HEAD><TITLE>Bees</TITLE></HEAD><BODY>${body}</BODY></HTML>`);
  expect(text).toBe(`# Bees\n\n${SENTENCES.join("\n\n")}\n`);
});

test("the name of the site behind the title is left out, however long it is", async () => {
  const body = `<h1>Bees</h1>${article}<h2>Wasps</h2>${article}`;
  for (const [title, found] of [
    ["Bees — The Encyclopedia of Small Animals, Volume 7", "Bees"],
    ["Bees: The Encyclopedia of Small Animals, Volume 7", "Bees: The Encyclopedia of Small Animals, Volume 7"],
    ["Beeswax and Honey of the Small Animals, Volume 7", "Beeswax and Honey of the Small Animals, Volume 7"],
  ] as const)
    expect(await textFrom("html", `<html><head><title>${title}</title></head><body>${body}</body></html>`)).toStartWith(
      `# ${found}\n\n`,
    );
});

test("the title that a page gives to others goes before its own, unless it is blank", async () => {
  for (const [shared, found] of [
    ["Bees", "# Bees\n"],
    ["", "# Bees - Small Animals\n"],
    [" &nbsp;", "# Bees - Small Animals\n"],
  ] as const) {
    const head = `<title>Bees - Small Animals</title><meta property="og:title" content="${shared}">`;
    expect(await textFrom("html", `<html><head>${head}</head><body>${article}</body></html>`)).toStartWith(found);
  }
});

test("a heading repeats the title even if only one of them has the number of the chapter", async () => {
  for (const [title, heading, found] of [
    ["7. Bees", "Chapter 7 - Bees", "# 7. Bees\n\nBees in towns"],
    ["Bees", "2.1) Bees", "# Bees\n\nBees in towns"],
    ["Bees", "100 Bees", "# Bees\n\n## 100 Bees\n\nBees in towns"],
  ] as const)
    expect(
      await textFrom(
        "html",
        `<html><head><title>${title}</title></head><body><h2>${heading}</h2>${article}</body></html>`,
      ),
    ).toStartWith(found);
});

test("the name of the site is no title, even as the only heading of the first level", async () => {
  const page = `<html><head><title>Animals - Bees in towns and in the country</title></head><body>
    <h1><a href="/">Animals</a></h1><h2>Bees</h2><p>They fly.</p><h2>Wasps</h2><p>They sting.</p></body></html>`;
  expect(await textFrom("html", page)).toStartWith("# Animals - Bees in towns and in the country\n\n");
});

test("the header and footer around a page are left out", async () => {
  const page = `<html><head><title>7. Bees</title></head><body><h1 id="header"><a href="/">Small Animals</a></h1><div id="outer">
    <h2>About bees</h2>${article}<h3>Wasps</h3>${article}</div><div id="footer">Design by us.</div></body></html>`;
  const body = SENTENCES.join("\n\n");
  expect(await textFrom("html", page)).toBe(`# 7. Bees\n\n## About bees\n\n${body}\n\n### Wasps\n\n${body}\n`);
});

test("control: a header that says what a page is about is its text", async () => {
  const page = `<html><head><title>bee(1)</title></head><body><div id="header"><h1>bee(1) Manual Page</h1><h2>NAME</h2>
    <p>bee - Gather nectar</p></div><div id="content"><h2>SYNOPSIS</h2>${article}</div></body></html>`;
  expect(await textFrom("html", page)).toContain("## NAME\n\nbee - Gather nectar\n\n");
});

describe("preformatted text", () => {
  const prose =
    "A lease belongs to one process at a time. Whoever holds it may write to\nthe run, and everybody else has to wait until it is free or has expired.";
  test("is read as paragraphs and items, with code between them", async () => {
    const list = "  - the first one, which has more to say than fits into\n    one line;\n  - the second one.";
    const code = "lease = take(run)\n\nif lease: write(run)";
    expect(await textFrom("html", `<pre>\n${prose}\n\nExample :\n\n${code}\n\n${list}\n\n${prose}</pre>`)).toBe(
      `${prose.replace("\n", " ")}\n\n\`\`\`\nExample :\n\n${code}\n\`\`\`\n- the first one, which has more to say than fits into one line;\n` +
        `- the second one.\n\n${prose.replace("\n", " ")}\n`,
    );
  });

  test("has a term when all lines of its definition have one indent", async () => {
    const meanings =
      "  first     The first one that is free gets the\n            lease.\n\n  last      Whoever asked last\n            waits.\n\n" +
      "  any\n  any(&lt;n&gt;)\n      Whoever asks gets the lease, and may keep it as long as it is wanted by\n      nobody else.";
    expect(await textFrom("html", `<b>Leases:</b><pre>${meanings}\n\nx = 1</pre>`)).toBe(
      "Leases:\n\nfirst\n: The first one that is free gets the lease.\n\nlast\n: Whoever asked last waits.\n\n" +
        "any\nany(<n>)\n: Whoever asks gets the lease, and may keep it as long as it is wanted by nobody else.\n\n```\nx = 1\n```\n",
    );
  });

  test("has no term in a paragraph with a hanging indent", async () => {
    const lines = [
      "N : nobody holds the lease. This is the case for a run that is new",
      "and for one that has ended, whoever asks, and for any other that was",
      "never begun.",
    ];
    expect(await textFrom("html", `<pre>${lines.join("\n    ")}</pre>`)).toBe(`${lines.join(" ")}\n`);
  });

  test("is code when its author marks it so, or when less than half of it is prose", async () => {
    for (const html of [`<pre><code>${prose}</code></pre>`, `<pre>${prose}\n\n${"x = f(y)\n".repeat(20)}</pre>`])
      expect(await textFrom("html", html)).toStartWith("```\nA lease");
  });
});

describe("content that Readability would drop is kept", () => {
  const around =
    '<div class="navheader"><h3>Contents</h3>Previous Next</div><div id="sidebar"><h3>Shop</h3>Honey.</div>';
  const pageWith = (more: string): string =>
    `<html><head><title>Bees</title></head><body>${around}<div class="body">${article.repeat(3)}${more}</div></body></html>`;

  test("a heading, even one that is there twice", async () => {
    for (const first of ["", "<h2>Limits</h2><p>None.</p>"]) {
      const text = await textFrom("html", pageWith(`${first}<div class="related"><h2>Limits</h2><p>Ten.</p></div>`));
      expect(text).toEndWith("## Limits\n\nTen.\n");
      expect(text).not.toMatch(/Contents|Previous|Shop|Honey/);
    }
  });

  test("more than a seventh of the words outside of links", async () => {
    const [few, many] = [2, 80].map((words) => `<div class="related"><p>${"more ".repeat(words)}</p></div>`);
    const links = `<div class="related"><p>${'<a href="x">more links</a> '.repeat(80)}</p></div>`;
    expect(await textFrom("html", pageWith(many ?? ""))).toContain("more more");
    expect(await textFrom("web_page", pageWith(few ?? ""))).not.toContain("more more");
    expect(await textFrom("html", pageWith(links))).not.toContain("more links");
  });

  test("words of a sentence in elements with names like menu", async () => {
    const names = "guimenu comment footer related author share cookie-name nav-item sidebar breadcrumb".split(" ");
    const words = names.map((name) => `<span class="${name}" id="${name}">the ${name}</span>`).join(", ");
    const code = '<pre>send(1) <span class="comment"># now</span></pre>';
    const text = await textFrom("html", pageWith(`<p>Choose ${words} and wait for the bees.</p>${code}`));
    expect(text).toContain(`Choose ${names.map((name) => `the ${name}`).join(", ")} and wait for the bees.`);
    expect(text).toContain("send(1) # now");
  });

  test("a sidebar that holds most of the page", async () => {
    const page = `<html><body><div class="with-sidebar"><h2>Bees</h2><p>Short.</p></div><p>End.</p></body></html>`;
    expect(await textFrom("html", page)).toContain("## Bees\n\nShort.");
  });
});

describe("blocks", () => {
  const blocks: Record<string, [html: string, markdown: string]> = {
    "a paragraph is one line, without marks and targets": [
      '<p>Some <b>bold</b>,\n <i>slanted</i> and <code>coded</code> words, <a href="http://example.org/">linked</a>.<img alt="x"></p>',
      "Some bold, slanted and coded words, linked.",
    ],
    "lists, one in another, and a number to begin with": [
      "<ul><li>one<ol start=3><li>three</li><li>four</li></ol></li><li><p>two</p><p>more of two</p></li></ul>",
      "- one\n  3. three\n  4. four\n- two\n    more of two".replace("two\n    more", "two\n\n    more"),
    ],
    "a table of data": [
      "<table><caption>Ages</caption><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7</td></tr></table>",
      "Ages\n\n| Name | Age |\n| --- | --- |\n| Ann | 7 |",
    ],
    "a cell stands in each row and each column that it spans": [
      "<table><thead><tr><th rowspan=2>Name</th><th colspan=2>Size</th></tr><tr><th>min</th><th>max</th></tr></thead>" +
        "<tbody><tr><td rowspan=0>Ann</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody>" +
        "<tbody><tr><td colspan=3>Others</td></tr><tr><td>Bob</td><td colspan=2>unknown</td></tr></tbody></table>",
      "| Name | Size | Size |\n| --- | --- | --- |\n| Name | min | max |\n| Ann | 1 | 2 |\n| Ann | 3 | 4 |\n" +
        "| Others |  |  |\n| Bob | unknown | unknown |",
    ],
    "an icon beside a text makes no table": [
      "<table><tr><td rowspan=2><img alt=Note></td><th>Note</th></tr><tr><td>Stop it first.</td></tr></table>",
      "Note\n\nStop it first.",
    ],
    "terms and their definitions": [
      "<dl><dt>-a</dt><dt>--all</dt><dd><p>Takes all.</p><p>More.</p></dd><dt>-b</dt><dd>Takes both.</dd></dl><p>End.</p>",
      "-a\n--all\n: Takes all.\n\nMore.\n\n-b\n: Takes both.\n\nEnd.",
    ],
    "a table of one row with short cells is one line": [
      "<table><tr><td>int wait</td><td>(</td><td>int <em>lease</em></td><td>)</td><td></td></tr></table><p>Waits.</p>",
      "int wait ( int lease )\n\nWaits.",
    ],
    "a table of layout is no table": [
      "<table><tr><td><h2>Left</h2><p>One.</p></td><td><p>Two.</p></td></tr></table>",
      "## Left\n\nOne.\n\nTwo.",
    ],
    "code as it is written": ["<pre>a\n  b # c\n</pre>", "```\na\n  b # c\n```"],
    "code whose lines are elements or end in line breaks": [
      "<pre><div>a {</div><div>  b</div>}</pre><pre>c<br>  d<br/></pre><pre><ol><li><code>e</code></li>\n<li>f</li></ol></pre>",
      "```\na {\n  b\n}\n```\n\n```\nc\n  d\n```\n\n```\ne\nf\n```",
    ],
    "menus that open in a sentence are no text, and what a tooltip says comes behind the paragraph": [
      '<p>Use <span><a href="#">bind</a><ul class="dropdown-menu"><li>Sections:</li><li><a href="#b">Bind</a></li></ul></span> here.</p>' +
        '<pre>Say "<span><a href="#">bind</a><ul class="dropdown-menu"><li>Sections:</li></ul></span>" here.</pre>' +
        '<p>So<span role="tooltip">More.</span> it is.</p>',
      'Use bind here.\n\n```\nSay "bind" here.\n```\n\nSo it is.\n\nMore.',
    ],
    "a quotation": ["<blockquote><p>Said once.</p><p>Said twice.</p></blockquote>", "> Said once.\n\n> Said twice."],
    "two line breaks are the end of a paragraph, one ends a line": ["a b<br>\n c<br><br>d", "a b\nc\n\nd"],
    "a line that would be read as another block goes on": [
      "<p>a<br># b<br>| c |<br>---<br>d</p>",
      "a # b | c | ---\nd",
    ],
    "lines of a list item and of a quotation": [
      "<ul><li>a<br>b</li></ul><blockquote>c<br>d</blockquote><h2>e<br>f</h2>",
      "- a\n    b\n\n> c\n> d\n\n## e f",
    ],
    "code with line breaks that is a paragraph": [
      "<p><code>\n $ openssl rsa<br />\n  # mv a\n b<br></code></p><p>Say <code>a<br>b</code>.</p>",
      "```\n$ openssl rsa\n# mv a b\n```\n\nSay a\nb.",
    ],
    "numbers of notes and links to a heading itself are no text": [
      '<h3>Name <a class="headerlink" href="#x">¶</a></h3><p>A fact.<sup><a href="#n1">[1]</a></sup> 10<sup>6</sup></p>',
      "### Name\n\nA fact. 10⁶",
    ],
    "readings above Japanese words are left out": ["<p><ruby>蜜蜂<rt>みつばち</rt></ruby>は働く。</p>", "蜜蜂は働く。"],
    "a paragraph that would be read as a heading is indented": ["<p># rm -r</p>", "    # rm -r"],
    "links to the next page are no text, while a paragraph with links is": [
      '<div class="header"><p>Next: <a href="b" rel="next">Bees</a>, Previous: <a href="a" rel="prev">Ants</a>, ' +
        'Up: <a href="." rel="up">Top</a> &nbsp; [<a href="t" rel="contents">Contents</a>][<a href="i">Index</a>]</p></div>' +
        '<p>Read what comes <a href="b" rel="next">next</a> or what came <a href="a" rel="prev">before</a> it today.</p>' +
        '<p><a href="1">One</a> | <a href="2">Two</a> | <a href="3">Three</a> | <a href="4">Four</a></p>' +
        `<table>${["One", "Two", "Three", "Four"].map((name, at) => `<tr><td>${at}.</td><td><a href="#">${name}</a></td></tr>`).join("")}</table>`,
      "Read what comes next or what came before it today.",
    ],
    "loose links to the next page are no text": [
      '<div><a class="previous_page" href="a">&lt;-previous</a><a class="toc_page" href="t">Contents</a>' +
        '<a class="next_page" href="b">next-&gt;</a><div><p>Bees fly.</p></div>See <a href="c">Ants</a>, <a href="d">Wasps</a>' +
        '<p>Ants walk.</p><a class="previous_page" href="a">&lt;-previous</a><a class="next_page" href="b">next-&gt;</a></div>',
      "Bees fly.\n\nSee Ants, Wasps\n\nAnts walk.",
    ],
    "an index of the words of a book is no text": [
      '<div class="index"><h2>Index</h2><dl><dt>taking honey out, <a href="a#1">Harvest</a></dt><dt>feeding, ' +
        '<a href="b">Winter</a>, <a href="c">Spring</a></dt><dt>mites, <a href="d">Treating against mites</a></dt></dl></div>' +
        '<div class="index"><p>Bees fly in spring, which is long awaited.</p><ul><li>Taking honey out in the autumn, see <a href="a">it</a></li></ul></div>',
      "## Index\n\nBees fly in spring, which is long awaited.\n- Taking honey out in the autumn, see it",
    ],
    "hidden elements are no text": [
      "<p>seen</p><p hidden>not</p><p style=display:none>not</p><svg><title>no</title></svg><button>no</button>",
      "seen",
    ],
  };
  for (const [name, [html, markdown]] of Object.entries(blocks)) {
    test(name, async () => {
      expect(await textFrom("html", html)).toBe(`${markdown}\n`.replace(/^\s+(?=#)/, ""));
    });
  }
});

test("the text that cells repeat has a limit", async () => {
  const cell = `<td rowspan=0 colspan=50>${"word ".repeat(100)}</td>`;
  const text = await textFrom(
    "html",
    `<table><tr>${cell}<td>b</td></tr>${"<tr><td>b</td></tr>".repeat(2_000)}</table>`,
  );
  expect(text.length).toBeLessThan(1_000_000);
});

describe("footnotes", () => {
  const said = "The longest boat of the lake was built in 1911.";
  const back = '<a class="fn-backref" role="doc-backlink" href="#id1">1</a>';
  const ways: Record<string, [html: string, markdown: string]> = {
    "a list of terms": [`<dl class="footnote brackets"><dt>${back}</dt><dd><p>${said}</p></dd></dl>`, `1\n: ${said}`],
    "what stands aside": [
      `<aside class="footnote-list brackets"><aside class="footnote brackets" role="doc-footnote"><span>[${back}]</span>
       <p>${said}</p></aside></aside>`,
      `[1]\n\n${said}`,
    ],
    "a section with a heading": [
      `<section class="footnotes"><h2>Notes</h2><ol><li id="fn1"><p>${said} <a href="#fnref1">↩︎</a></p></li></ol></section>`,
      `1. ${said}`,
    ],
    "a list with nothing but its numbers": [`<ol><li id="cite_note-1">${said}${back}</li></ol>`, `1. ${said}1`],
  };
  for (const [name, [notes, written]] of Object.entries(ways)) {
    test(`${name}: in no section but their own, wherever they stand`, async () => {
      const sections = (last: string): string =>
        `<h2>Boats</h2>${article}<h2>Kites</h2>${article}${last}<h2>Tops</h2>${article}`;
      const plain = SENTENCES.join("\n\n");
      const text = `## Boats\n\n${plain}\n\n## Kites\n\n${plain}\n\n## Tops\n\n${plain}\n\n## Footnotes\n\n${written}\n`;
      const page = `<html><head><title>Toys</title></head><body><main>${sections(notes)}</main></body></html>`;
      expect(await textFrom("html", page)).toBe(`# Toys\n\n${text}`);
      expect(await textFrom("html", `<html><body><main>${sections(notes)}</main></body></html>`)).toBe(text);
    });
  }

  test("without any section they have no heading", async () => {
    expect(await textFrom("html", `${ways["a list of terms"]?.[0]}<p>Boats.</p>`)).toBe(`Boats.\n\n1\n: ${said}\n`);
  });

  test("a remark without a link back is no note, and neither is an element with sections", async () => {
    const remark = '<h2>Boats</h2><p>One.</p><div class="footnote">As of May.</div><h2>Kites</h2><p>Two.</p>';
    const part = `<div class="footnotes"><h2>Tops</h2><p>${back}Three.</p><h2>Balls</h2><p>Four.</p></div>`;
    expect(await textFrom("html", remark + part)).toBe(
      "## Boats\n\nOne.\n\nAs of May.\n\n## Kites\n\nTwo.\n\n## Tops\n\n1Three.\n\n## Balls\n\nFour.\n",
    );
  });
});

describe("charset", () => {
  const word = "Größe";
  const latin = Buffer.from(`<p>${word}</p>`, "latin1");
  test("is that of the mark, else that of the declaration, else UTF-8, else windows-1252", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`<p>${word}</p>`, "utf16le")]);
    const declared = Buffer.concat([Buffer.from('<meta charset="iso-8859-1">'), latin]);
    const japanese = Buffer.concat([
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>'),
      Buffer.from([0x96, 0xa8, 0x96, 0x49]),
    ]);
    for (const bytes of [utf16, declared, latin, Buffer.from(`<p>${word}</p>`)]) {
      expect(await textFrom("html", bytes)).toBe(`${word}\n`);
    }
    expect(await textFrom("html", japanese)).toBe("蜜蜂\n");
    expect(await textFrom("html", Buffer.concat([Buffer.from('<meta charset="no-such">'), latin]))).toBe(`${word}\n`);
  });

  test("German and Japanese pages keep their letters", async () => {
    expect(await textFrom("html", "<title>Prüfung</title><p>Straße, Äpfel &amp; Öl&nbsp;– „schön“.</p>")).toBe(
      "# Prüfung\n\nStraße, Äpfel & Öl – „schön“.\n",
    );
    expect(await textFrom("html", "<h1>都市の蜜蜂</h1><p>冬の巣箱は暖かい。</p>")).toBe(
      "# 都市の蜜蜂\n\n冬の巣箱は暖かい。\n",
    );
  });
});

describe("pages without text", () => {
  test("a page without words and an empty one have no text", async () => {
    expect(await textFrom("html", "<html><body><img src=x></body></html>")).toBe("unfit: no_text");
    expect(await textFrom("html", new Uint8Array([0, 1, 2]))).toBe("unfit: no_text");
    expect(await textFrom("html", "<p>a \uE000\uE001\uE002</p>")).toBe("unfit: no_text");
  });

  test("elements nested 100,000 deep are read as their text", async () => {
    const deep = `${"<div>".repeat(100_000)}deep words${"</div>".repeat(100_000)}`;
    expect(await textFrom("html", `<html><body>${deep}</body></html>`)).toBe("deep words\n");
  }, 600_000);
});
