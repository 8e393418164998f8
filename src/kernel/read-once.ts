// A value that is read when it is first asked for, and read again where that has failed.

export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () =>
    (value ??= read().catch((error: unknown) => {
      value = null;
      throw error;
    }));
}
