// Limits for one document. A document over a limit is left out with the reason.

const MIB = 1024 * 1024;

export const LIMITS = {
  /** For one entry of a zip file, and for all entries that are unpacked. */
  entryBytes: 64 * MIB,
  unpackedBytes: 256 * MIB,
  zipEntries: 10_000,
  /** Beyond `ratioFreeBytes`, a document that unpacks to this many times its size is a bomb. */
  unpackedRatio: 200,
  ratioFreeBytes: 16 * MIB,
  pages: 5_000,
  textBytes: 8 * MIB,
  /** Deeper elements give only their text. */
  elementDepth: 200,
  /** The parent process measures time and memory, and ends the child. */
  timeMs: { html: 30_000, web_page: 30_000, docx: 30_000, epub: 30_000, notebook: 30_000, manual: 30_000, pdf: 60_000 },
  memoryBytes: 1024 * MIB,
} as const;
