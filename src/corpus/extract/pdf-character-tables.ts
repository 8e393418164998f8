// What pdf.js is given in place of the tables of characters that it would fetch: none, and a note that it asked.

/**
 * Fonts in Chinese, Japanese or Korean may name a table of characters that every viewer is expected to have. There are
 * none here: what is written in such a font is missing from the text.
 */
export class CharacterTables {
  wereAsked = false;
  /** What pdf.js makes one of, to fetch what is not in the file. */
  readonly factory: new () => { fetch(request: { kind: string }): Promise<never> };

  constructor() {
    const ask = (kind: string): void => {
      if (kind === "cMapUrl") this.wereAsked = true;
    };
    this.factory = class {
      async fetch({ kind }: { kind: string }): Promise<never> {
        ask(kind);
        throw new Error("nothing is fetched");
      }
    };
  }
}
