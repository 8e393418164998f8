// Finds the sources that Sphinx puts next to the pages it makes of them: each says what its page says, in markup.

/** `guide/_sources/setup/disks.rst.txt` is the source of `guide/setup/disks.html`. */
const SOURCE = /^(?<root>.*\/)?_sources\/(?<name>.+?)(?:\.(?:rst|md|ipynb))?\.txt$/u;

/** Those of the paths that are sources of pages among them. */
export function pageSources(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  return new Set(
    paths.filter((path) => {
      const { root = "", name } = SOURCE.exec(path)?.groups ?? {};
      return name !== undefined && (all.has(`${root}${name}.html`) || all.has(`${root}${name}/index.html`));
    }),
  );
}
