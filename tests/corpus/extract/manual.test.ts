// Manual pages of man(7) and mdoc(7) become headings, terms with definitions, lists, tables and code.
import { describe, expect, test } from "bun:test";
import { textFrom } from "./texts.ts";

/** The page `bees` with this text in the section behind its name. */
async function manOf(...lines: string[]): Promise<string> {
  const page = [".TH BEES 1", ".SH NAME", "bees \\- count bees", ".SH TEXT", ...lines, ""].join("\n");
  return (await textFrom("manual", page)).replace(/^[^]*## TEXT\n+/, "").trimEnd();
}

async function mdocOf(...lines: string[]): Promise<string> {
  const page = [
    ".Dd May 3, 2026",
    ".Dt BEES 1",
    ".Os",
    ".Sh NAME",
    ".Nm bees",
    ".Nd count bees",
    ".Sh TEXT",
    ...lines,
    "",
  ];
  return (await textFrom("manual", page.join("\n"))).replace(/^[^]*## TEXT\n+/, "").trimEnd();
}

describe("the title", () => {
  test("is the line of the name, in every language", async () => {
    expect(
      await textFrom("manual", '.TH BIENEN 1\n.SH BEZEICHNUNG\nbienen \\- zählt Bienen\n.SH "DIE OPTIONEN"\nKeine.\n'),
    ).toBe("# bienen - zählt Bienen\n\n## BEZEICHNUNG\n\nbienen - zählt Bienen\n\n## DIE OPTIONEN\n\nKeine.\n");
    expect(await textFrom("manual", ".Dd May 3, 2026\n.Dt BEES 1\n.Sh NAME\n.Nm bees\n.Nd count bees\n")).toBe(
      "# bees - count bees\n\n## NAME\n\nbees - count bees\n",
    );
  });

  test("is the name of the page when it has no such line", async () => {
    expect(await textFrom("manual", ".TH BEES 1\nThey are counted.\n")).toBe("# BEES(1)\n\nThey are counted.\n");
  });

  test("of a page that only names another page is this note", async () => {
    expect(await textFrom("manual", ".so man1/bees.1\n")).toBe("See man1/bees.1.\n");
  });
});

describe("man(7)", () => {
  test("headings, paragraphs that are filled, and line ends where the author set them", async () => {
    expect(
      await manOf("One", "two.", ".PP", "Three", ".br", "four.", "", ".SS Below", "Five.", ".SH", "Hives", "Six."),
    ).toBe("One two.\n\nThree\nfour.\n\n### Below\n\nFive.\n\n## Hives\n\nSix.");
  });

  test("tagged paragraphs are terms with definitions", async () => {
    expect(
      await manOf(
        ".TP",
        '.BI \\-n " number"',
        "Count them.",
        ".TP",
        ".B \\-q",
        ".TQ",
        ".B \\-\\-quiet",
        "Say nothing.",
      ),
    ).toBe("-n number\n: Count them.\n\n-q\n--quiet\n: Say nothing.");
    expect(await manOf(".IP hive 4", "A house.", ".IP", "Or a box.")).toBe("hive\n: A house.\n\nOr a box.");
    expect(await manOf(".IP \\(bu 2", "One.", ".IP \\(bu", "Two.", ".IP 3.", "Three.")).toBe(
      "- One.\n- Two.\n3. Three.",
    );
  });

  test("a line above an indented block is its term, unless it is a sentence", async () => {
    expect(await manOf(".PP", "\\fB\\-\\-hive\\fR=<name>", ".RS 4", "Which one.", ".RE")).toBe(
      "--hive=<name>\n: Which one.",
    );
    expect(await manOf("As in:", ".RS", "Bees.", ".RE", "It ends.")).toBe("As in:\n\nBees.\n\nIt ends.");
  });

  test("lines that are not filled are code", async () => {
    expect(await manOf("Call", ".nf", "bees", "  \\-\\-hive 3", ".fi", "or not.")).toBe(
      "Call\n\n```\nbees\n  --hive 3\n```\n\nor not.",
    );
    expect(await manOf(".EX", ".B bees", "", "more", ".SS Behind", "Text.")).toBe(
      "```\nbees\n\nmore\n```\n\n### Behind\n\nText.",
    );
  });

  test("fonts are plain text, and a macro of two fonts joins its words", async () => {
    expect(
      await manOf(
        ".BR bees (1)",
        "and",
        ".I many more",
        "\\fIand\\fR \\f(CWon\\fP.",
        ".UR https://a.example",
        "here",
        ".UE .",
      ),
    ).toBe("bees(1) and many more and on. here <https://a.example>.");
  });

  test("escapes are the signs that they stand for", async () => {
    expect(
      await manOf(
        "\\-\\-a \\(aqb\\(aq c\\(end\\ e\\&.\\e \\[u00E4]\\[:o]\\(ss \\s+1big\\s0 \\h'4n'x \\*(lqy\\*(rq a\\~b\\c",
        'c \\" no',
      ),
    ).toBe("--a 'b' c–d e.\\ äöß big x “y” a bc");
  });

  test("tables of tbl have rows, and column names when a rule sets them apart", async () => {
    expect(
      await manOf(".TS", "tab(;) box;", "lb lb", "l l.", "Bee;Lives", "_", "Queen;T{", "for", "years", "T}", ".TE"),
    ).toBe("| Bee | Lives |\n| --- | --- |\n| Queen | for years |");
    expect(await manOf(".TS", "l l.", "Queen\tone", "Drone\tmany", ".TE", "Text.")).toBe(
      "|  |  |\n| --- | --- |\n| Queen | one |\n| Drone | many |\n\nText.",
    );
    expect(await manOf(".TS", "cb cb, l l.", "Bee\tLives", "Queen\tlong", ".TE")).toStartWith("| Bee | Lives |\n");
    expect(await manOf(".TS", "l l,", "l l.", "Queen\tlong", ".T&", "c c.", "Drone\tshort", ".TE")).toStartWith(
      "|  |  |\n",
    );
  });

  test("conditions are decided as on a terminal", async () => {
    expect(
      await manOf(
        ".if n One.",
        ".if t Two.",
        ".ie !'a'a' Three.",
        ".el Four.",
        ".if t \\{\\",
        "Five.",
        ".if n \\{ Six. \\}",
        ".\\}",
        "Seven.",
      ),
    ).toBe("One. Four. Seven.");
    expect(await manOf(".nr x 2", ".if \\nx>1 One.", ".if \\n(.g \\{\\", ".ds q \\(aq", ".\\}", "\\*qTwo\\*q")).toBe(
      "One. 'Two'",
    );
  });

  test("macros of the page are expanded, comments and requests are dropped, and unknown macros give their arguments", async () => {
    expect(
      await manOf(
        ".de Bee",
        ".B \\\\$1",
        "flies.",
        "..",
        ".Bee Maja",
        '.\\" No.',
        ".ig",
        "No.",
        "..",
        ".ad l",
        '.QQ "And so" on.',
      ),
    ).toBe("Maja flies. And so on.");
    expect(await manOf(".de P2", ".P2", ".P2", "..", ".P2", "It ends.")).toBe("It ends.");
  });
});

describe("mdoc(7)", () => {
  test("inline macros give the text that readers see", async () => {
    expect(
      await mdocOf(
        ".Nm",
        ".Op Fl q",
        ".Op Fl n Ar number",
        ".Ar",
        ".Pp",
        "See",
        ".Xr hives 5 ,",
        ".Dq a b",
        "and",
        ".Pa /etc/bees .",
      ),
    ).toBe("bees [-q] [-n number] file ...\n\nSee hives(5), “a b” and /etc/bees.");
    expect(
      await mdocOf(
        ".Fl -hive Ns = Ns Ar name",
        '.Fn count "int a" "int b" ;',
        ".Oo Fl a",
        "|",
        ".Fl b Oc",
        ".Pf ( Sy x )",
        ".Ql \\&Op",
      ),
    ).toBe("--hive=name count(int a, int b); [-a | -b] (x) ‘Op’");
  });

  test("lists are terms, items and rows", async () => {
    expect(
      await mdocOf(
        ".Bl -tag -width Ds",
        ".It Fl q",
        "Say nothing.",
        ".It Xo",
        ".Fl n",
        ".Ar number",
        ".Xc",
        "Count.",
        ".El",
        "Text.",
      ),
    ).toBe("-q\n: Say nothing.\n\n-n number\n: Count.\n\nText.");
    expect(
      await mdocOf(
        ".Bl -bullet",
        ".It",
        "One.",
        ".It",
        "Two.",
        ".El",
        ".Bl -enum -compact",
        ".It",
        "A.",
        ".It",
        "B.",
        ".El",
      ),
    ).toBe("- One.\n- Two.\n1. A.\n2. B.");
    expect(await mdocOf(".Bl -column a b", ".It Queen Ta one", ".It Drone Ta", ".Sy many", ".El")).toBe(
      "|  |  |\n| --- | --- |\n| Queen | one |\n| Drone | many |",
    );
    const head = ".It Sy Bee kind Ta Sy Number";
    expect(await mdocOf(".Bl -column a b", head, ".It Queen Ta one", ".El")).toBe(
      "| Bee kind | Number |\n| --- | --- |\n| Queen | one |",
    );
    expect(await mdocOf(".Bl -column a b", ".It Sy Queen Ta one", ".El")).toStartWith("|  |  |\n");
  });

  test("displays are code when their lines stay", async () => {
    expect(
      await mdocOf("Call", ".Bd -literal -offset indent", "bees  -q", ".Ed", "or", ".Dl bees Fl n", ".Ex -std"),
    ).toBe(
      "Call\n\n```\nbees  -q\n```\n\nor\n\n```\nbees -n\n```\n\nThe bees utility exits 0 on success, and >0 if an error occurs.",
    );
  });
});

test("a page that closes nothing is read to its end", async () => {
  expect(await manOf(".nf", "One.", ".TS", "l l.", "Two\tT{", "three")).toContain("three");
  expect(await mdocOf(".Bl -column", ".It One Ta two", ".Oo three")).toContain("three");
  expect(await manOf("One.", ".de Bee", "two")).toBe("One.");
});

test("a page that is not in UTF-8 is read as windows-1252", async () => {
  expect(await textFrom("manual", Buffer.from(".TH B 1\nb\u00e4r\n", "latin1"))).toBe("# B(1)\n\nbär\n");
});

describe("what other programs draw leaves a mark", () => {
  test.each<[string, string[], string]>([
    ["a formula", ["The mast is", ".EQ", "x over 2", ".EN", "high."], "The mast is [formula] high."],
    ["a formula that stands alone", ["One.", ".PP", ".EQ", "x sup 2", ".EN", ".PP", "Two."], "One.\n\nTwo."],
    ["settings of eqn", ["One.", ".EQ", "delim off", "define a 'b'", ".EN", "Two."], "One. Two."],
    [
      "formulas between delimiters, as long as they are set",
      [".EQ", "delim $$", ".EN", "It is $x sub 1$ high,", '.B "not $y$"', ".EQ", "delim off", ".EN", "for $5 and $6."],
      "It is [formula] high, not [formula] for $5 and $6.",
    ],
    [
      "delimiters that are signs of expressions",
      [".EQ", "delim [)", ".EN", "It is [x^2) high."],
      "It is [formula] high.",
    ],
    ["a drawing", ["See", ".PS", 'box "Bees"; arrow', ".PE", "here."], "See [picture] here."],
    ["a chart", ["See", ".G1", "draw solid", ".G2", "here."], "See [picture] here."],
    ["a picture in a file", ["See", ".PSPIC hive.eps", "here."], "See [picture] here."],
    ["a drawing that nothing ends", ["See", ".PS", "box", ".SH MORE", "Bees."], "See [picture]\n\n## MORE\n\nBees."],
  ])("%s", async (_, lines, text) => {
    expect(await manOf(...lines)).toBe(text);
  });
});
