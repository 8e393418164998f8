// A file that no other user of this machine may read.

export interface PrivateFile {
  /** Absolute. */
  path: string;
  /** The end of the process removes it, too. */
  remove(): void;
}
