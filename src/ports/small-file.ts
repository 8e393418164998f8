// The outcome of reading a file that people wrote.

export type SmallFile =
  | { kind: "absent" }
  /** There, and no file that is read here. */
  | { kind: "refused"; why: string }
  /** `realPath` is where its links led. */
  | { kind: "read"; bytes: Uint8Array; realPath: string };
