// Tests of prompts in text files: a slot without a value, a value without a slot and an unknown part are bugs.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { PromptFile } from "../../../src/drivers/asking/prompt-file.ts";

const FILE = new PromptFile(`=== who
You write {{what}}.

Well.

=== demands
- at most {{most}} words
- no {{what}}
`);

test("a part is the text below its line, with its slots filled", () => {
  expect(FILE.part("who", { what: "a {{page}}" })).toBe("You write a {{page}}.\n\nWell.");
  expect(FILE.list("demands", { most: 3, what: "$& lines" })).toEqual(["at most 3 words", "no $& lines"]);
});

test("what is missing, unused or no item of a list is refused", () => {
  expect(() => FILE.part("advice")).toThrow("no part advice");
  expect(() => FILE.part("who")).toThrow("the slot what of the part who has no value");
  expect(() => FILE.part("who", { what: "a page", most: 3 })).toThrow("the part who has no slot most");
  expect(() => FILE.list("who", { what: "a page" })).toThrow("no item");
});

test("no prompt of a driver has a part that no code asks for", () => {
  const drivers = path.join(import.meta.dir, "../../../src/drivers");
  const files = fs.readdirSync(drivers, { recursive: true, encoding: "utf8" });
  const read = (file: string): string => fs.readFileSync(path.join(drivers, file), "utf8");
  const code = [...files.filter((file) => file.endsWith(".ts")), "../ports/driver.ts"].map(read).join("\n");
  const parts = files
    .filter((file) => file.endsWith(".txt"))
    .flatMap((file) => [...read(file).matchAll(/^=== (.+)$/gmu)].map(([, name = ""]) => name));
  expect(parts.length).toBeGreaterThan(30);
  expect(parts.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});
