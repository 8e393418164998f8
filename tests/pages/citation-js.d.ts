// Types of the library that reads bibliographies, which has none of its own.
declare module "@citation-js/core" {
  export class Cite {
    constructor(input: unknown);
    data: Record<string, unknown>[];
    format(form: "bibliography", options: { format: "text"; template: string }): string;
  }
}
declare module "@citation-js/plugin-bibtex";
declare module "@citation-js/plugin-csl";
