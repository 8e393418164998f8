// Class and style of an element, without the set of tokens and the declaration that linkedom makes of them: Readability
// asks every element of a page for both, and the parser writes the class of each one twice.

interface Element {
  getAttributeNode(name: string): { readonly value: string } | null;
}

/** What all elements have in common. */
interface Kind {
  className: string;
  readonly style: object;
}

const hastened = new WeakSet<object>();
const NO_STYLE: object = Object.freeze({});

/** For all elements of the kind of this one. After that `classList` may lag behind; nobody here uses it. */
export function hastenAttributes(element: object): void {
  for (let kind = kindOf(element); kind !== null && !hastened.has(kind); kind = kindOf(kind)) {
    hastened.add(kind);
    if (Object.hasOwn(kind, "className")) hastenClass(kind as Kind);
    if (Object.hasOwn(kind, "style")) hastenStyle(kind as Kind);
  }
}

function kindOf(object: object): object | null {
  return Object.getPrototypeOf(object) as object | null;
}

function hastenClass(kind: Kind): void {
  const slow = Object.getOwnPropertyDescriptor(kind, "className");
  Object.defineProperty(kind, "className", {
    configurable: true,
    get(this: Element) {
      return this.getAttributeNode("class")?.value ?? "";
    },
    set(this: Element, value: string) {
      if (this.getAttributeNode("class")?.value !== value) slow?.set?.call(this, value);
    },
  });
}

function hastenStyle(kind: Kind): void {
  const slow = Object.getOwnPropertyDescriptor(kind, "style");
  Object.defineProperty(kind, "style", {
    configurable: true,
    get(this: Element) {
      return this.getAttributeNode("style") === null ? NO_STYLE : (slow?.get?.call(this) as object);
    },
  });
}
