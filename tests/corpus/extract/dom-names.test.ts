// Elements found by their names: the fast way finds what linkedom's own selectors find.
import { expect, test } from "bun:test";
import { documentOf, type DomElement } from "../../../src/corpus/extract/dom.ts";

const PAGE = `<html><body><h1 id="1">Title</h1><div id="2"><p id="3">a<b id="4">c</b></p>
<template id="5"><p id="6">unseen</p></template><P ID="7">d</P></div><svg id="8"><a id="9">e</a></svg><p id="10">f</p></body></html>`;

const ids = (elements: Iterable<DomElement>): (string | null)[] =>
  [...elements].map((element) => element.getAttribute("id") ?? element.getAttribute("ID"));

test("names find the same as a selector that says more", () => {
  const page = documentOf(PAGE);
  for (const names of [["p"], ["P"], ["p", "b"], ["a", "svg", "h1"], ["template"], ["table"]]) {
    const slow = names.map((name) => `${name}:not(.none)`).join(", ");
    expect(ids(page.querySelectorAll(names.join(", ")))).toEqual(ids(page.querySelectorAll(slow)));
    expect(page.querySelector(names.join(", "))).toBe(page.querySelector(slow));
    for (const div of page.querySelectorAll("div"))
      expect(ids(div.querySelectorAll(names.join(",")))).toEqual(ids(div.querySelectorAll(slow)));
  }
  expect(ids(page.querySelectorAll("p, b"))).toEqual(["3", "4", "7", "10"]);
});

interface ChangingPage {
  body: { append(element: unknown): void };
  createElement(name: string): unknown;
  querySelector(selector: string): { remove(): void } | null;
  querySelectorAll(selector: string): unknown[];
  getElementsByTagName(name: string): { tagName: string }[];
}

test("elements that were made under a name in capitals are found, and those that are gone are not", () => {
  const page = documentOf(PAGE) as unknown as ChangingPage;
  const made = page.createElement("SECTION");
  page.body.append(made);
  page.querySelector("h1")?.remove();
  expect(page.querySelectorAll("section")).toHaveLength(1);
  expect(page.getElementsByTagName("SECTION")[0]?.tagName).toBe("SECTION");
  expect(page.getElementsByTagName("h1")).toHaveLength(0);
});
