// Texts and questions are cut into words, stems and terms.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { stem } from "../../src/corpus/words/stem.ts";
import { cutTerms } from "../../src/corpus/words/term-cutter.ts";
import { contentWords, spacedText, termsOf, wordsOf } from "../../src/corpus/words/terms.ts";

describe("stem", () => {
  test("agrees with FTS5's porter on every word of real readmes that has a vowel", () => {
    const readmes = ["commander/Readme.md", "zod/README.md", "proper-lockfile/README.md", "fast-check/README.md"];
    const text = readmes.map((readme) => fs.readFileSync(`node_modules/${readme}`, "utf8")).join("\n");
    const words = [...new Set(text.toLowerCase().match(/[a-z]{1,30}/g))];
    expect(words.length).toBeGreaterThan(1_000);
    const database = new Database(":memory:");
    database.run("CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = 'porter unicode61')");
    database.run("CREATE VIRTUAL TABLE stems USING fts5vocab (words, 'instance')");
    const insert = database.prepare("INSERT INTO words (rowid, word) VALUES (?, ?)");
    words.forEach((word, index) => insert.run(index + 1, word));
    const rows = database.query("SELECT term, doc FROM stems").all() as { term: string; doc: number }[];
    const theirs = new Map(rows.map(({ term, doc }) => [words[doc - 1], term]));
    const others = words.filter((word) => stem(word) !== theirs.get(word));
    expect(others.filter((word) => !/^[^aeiouy]+s$/.test(word))).toEqual([]);
    expect(stem("https")).toBe("https");
  });

  test("keeps words of other scripts", () => {
    expect(["日本", "straße", "привет", "v2"].map(stem)).toEqual(["日本", "straße", "привет", "v2"]);
  });
});

describe("terms", () => {
  test("are stems without stop words and diacritics", () => {
    expect(termsOf("The parsers were parsing Café options")).toEqual(["parser", "pars", "cafe", "option"]);
  });

  test("words of asking are no subject, unless there is no other word", () => {
    expect(contentWords("What do these packages say about option parsing?")).toEqual(["packages", "option", "parsing"]);
    expect(contentWords("explain")).toEqual(["explain"]);
    expect(contentWords("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  });

  test("German stop words are left out, but not out of English texts", () => {
    expect(contentWords("Wie oft wird die Heizung geprüft, und was ist dann zu tun?")).toEqual(["heizung", "gepruft"]);
    expect(contentWords("Which soldiers die in a war, and what is a man page?")).toEqual([
      "soldiers",
      "die",
      "war",
      "man",
      "page",
    ]);
  });

  test.each([
    ["Comment changer le mot de passe d'un répertoire ?", ["changer", "repertoire"]],
    ["¿Cómo puedo cambiar la contraseña de un directorio?", ["cambiar", "contrasena", "directorio"]],
    ["Come cambiare la password di una directory?", ["cambiare", "password", "directory"]],
    ["Jak zmienić hasło do katalogu?", ["zmienic", "hasło", "katalogu"]],
    ["Как изменить пароль?", ["изменить", "пароль"]],
  ])("stop words of its language are left out of %j", (question, words) => {
    expect(contentWords(question)).toEqual(words);
  });

  test.each([
    ["tar xf archive en masse", ["tar", "xf", "archive", "en", "masse"]],
    ["How is a comment of a commit changed?", ["comment", "commit", "changed"]],
  ])("no stop words of another language are left out of %j", (question, words) => {
    expect(contentWords(question)).toEqual(words);
  });

  test("Japanese is cut into words", () => {
    expect(spacedText("オプションを解析する").split(" ").length).toBeGreaterThan(2);
    expect(spacedText("plain text stays")).toBe("plain text stays");
  });
});

describe("cutTerms", () => {
  test("keeps stop words, and finds the parts of camelCase and snake_case names", () => {
    expect(cutTerms("to parseOptions and max_retries")).toEqual([
      "to",
      "parseopt",
      "and",
      "max",
      "retri",
      "pars",
      "option",
    ]);
    expect(cutTerms("iPhone JavaScript OpenGL")).toEqual(["iphon", "javascript", "opengl", "phone"]);
  });

  test("cuts ASCII as it cuts other texts", () => {
    const text = "It's 2 o'clock; v1.2.3 of the x86-64 build (#17) FAILED_TO_START";
    expect(wordsOf(`${text} é`)).toEqual([...wordsOf(text), "e"]);
  });
});
