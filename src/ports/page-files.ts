// The files of a web page as a server sends them.

export interface PageFile {
  /** The path without the slash, such as `chunk-1a2b3c.js`; empty for the page itself. */
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A page as it is imported: `index` is its source. In a compiled program `files` are what was made of it. */
export interface ImportedPage {
  index: string;
  files?: readonly { path: string; loader: string }[];
}
