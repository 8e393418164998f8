// Reads a value when it is first needed, and again only if that failed.

export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () =>
    (value ??= read().catch((error: unknown) => {
      value = null;
      throw error;
    }));
}
