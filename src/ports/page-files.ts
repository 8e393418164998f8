// The files of a web page as a server sends them.

export interface PageFile {
  /** Behind the slash: `chunk-1a2b3c.js`; empty for the page itself. */
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A page as it is imported: its source, or in a compiled program what was made of it. */
export interface ImportedPage {
  index: string;
  files?: readonly { path: string; loader: string }[];
}
