// Names a document by its first heading if that is a title, else by its file.

const MAX_TITLE_LENGTH = 200;

/** A version or a date: "v3.10.2 2026-09-09", "## 0.8.3". */
const IS_VERSION = /^v?[^\p{L}]*$/iu;

/**
 * Takes the first heading for the title, unless it is a version, as in a changelog, or a later heading has a higher level:
 * then it names only a part of the document.
 */
export class TitleHeading {
  #first: { name: string; level: number } | null = null;
  #isTop = true;

  meet(name: string | undefined, level: number): void {
    if (name === undefined) return;
    this.#first ??= { name, level };
    this.#isTop &&= level >= this.#first.level;
  }

  /** "" when no heading is the title. */
  get text(): string {
    return this.#first === null || !this.#isTop || IS_VERSION.test(this.#first.name) ? "" : this.#first.name;
  }
}

/** Names a document without a title: a readme by its folder, any other by its folder and file. */
export function nameOfDocument(corpusName: string, path: string): string {
  const parts = path.split("/");
  const file = parts.at(-1) ?? path;
  if (!/^(readme|index)(\.[a-z]+)?$/i.test(file))
    return parts.slice(-2).join("/").slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const folder = parts.at(-2) ?? corpusName;
  // A scoped package of npm has two folders: `@types/node`.
  const scope = parts.at(-3);
  const name = scope?.startsWith("@") ? `${scope}/${folder}` : folder;
  return name.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}
