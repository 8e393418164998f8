// Documents that lie in the store of the runs, as a corpus names them: `documents:NAME`, and with the digest of what it is of.

const NAMED = /^documents:([a-z0-9][a-z0-9._-]{0,60})(?:@([0-9a-f]{16}))?$/;
const PREFIX = "documents:";

export function isStoredDocuments(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** `digest`: the beginning of it; absent for those that were pushed last. Null for a name that documents cannot have. */
export function readStoredDocuments(path: string): { name: string; digest?: string } | null {
  const [, name, digest] = NAMED.exec(path) ?? [];
  return name === undefined ? null : { name, ...(digest === undefined ? {} : { digest }) };
}

export function storedDocumentsPath(name: string, digest: string): string {
  return `${PREFIX}${name}@${digest}`;
}
