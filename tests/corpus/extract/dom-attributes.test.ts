// Class and style of elements: the fast way says what stands in the page, also after it has changed.
import { expect, test } from "bun:test";
import { documentOf } from "../../../src/corpus/extract/dom.ts";

interface Element {
  className: string;
  readonly style: { display?: string; visibility?: string };
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

function elementOf(html: string): Element {
  return documentOf(`<html><body>${html}</body></html>`).querySelector("p") as unknown as Element;
}

test("the class is that of the page, then what it was set to, in either way", () => {
  const element = elementOf('<p class="note wide">a</p>');
  expect(element.className).toBe("note wide");
  element.className = "page";
  expect([element.className, element.getAttribute("class")]).toEqual(["page", "page"]);
  element.setAttribute("class", "other");
  expect(element.className).toBe("other");
  element.removeAttribute("class");
  expect(element.className).toBe("");
  expect(elementOf("<p>a</p>").className).toBe("");
});

test("a style is read where there is one, and none is where there is not", () => {
  const element = elementOf('<p style="display: none; visibility: hidden">a</p>');
  expect([element.style.display, element.style.visibility]).toEqual(["none", "hidden"]);
  expect(elementOf("<p>a</p>").style.display).toBeUndefined();
  element.removeAttribute("style");
  expect(element.style.display).toBeUndefined();
});
