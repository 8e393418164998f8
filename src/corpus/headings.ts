// What a document is called that has no heading.

const MAX_TITLE_LENGTH = 200;

/** The name of a document that has no heading: a readme is called by its folder, anything else by its file. */
export function nameOfDocument(corpusName: string, path: string): string {
  const parts = path.split("/");
  const file = parts.at(-1) ?? path;
  if (!/^(readme|index)(\.[a-z]+)?$/i.test(file)) return file.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const folder = parts.at(-2) ?? corpusName;
  // A scoped package is called by both of its folders.
  const scope = parts.at(-3);
  const name = scope?.startsWith("@") ? `${scope}/${folder}` : folder;
  return name.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}
