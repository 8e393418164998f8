// Limits for documents: one that goes past them is left out with the reason.

const MIB = 1024 * 1024;

export const LIMITS = {
  /** For one entry of a zip file, and for all that are unpacked; counted while unpacking. */
  entryBytes: 64 * MIB,
  unpackedBytes: 256 * MIB,
  zipEntries: 10_000,
  /** Beyond the first bytes no document of people unpacks to this many times its size. */
  unpackedRatio: 200,
  ratioFreeBytes: 16 * MIB,
  pages: 5_000,
  textBytes: 8 * MIB,
  /** Elements nested deeper are read as their text alone. */
  elementDepth: 200,
  /** For one document. The parent process measures both, and ends the child. */
  timeMs: { html: 30_000, docx: 30_000, epub: 30_000, manual: 30_000, pdf: 60_000 },
  memoryBytes: 1024 * MIB,
} as const;
