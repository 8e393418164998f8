// A collection of the hold-out: documents that others wrote, and questions about them in our own words.
//
// HOLD-OUT: write no rule of a driver by looking at these questions, at what they ask for, or at how single ones fare.
// Read the figures of the whole set only. A set that rules are written for measures nothing.
//
// No sentence of these documents stands here: only questions, the document that answers each, and the words or figures
// that a right sentence holds. The questions were written before any answer of the tool was read.

/** Where documents come from: a package at one version, and which of its files are kept. */
export interface Package {
  from: "npm" | "deb";
  name: string;
  /** Without one, whichever the archive has. */
  version?: string;
  /** A glob inside the package. Up to its first sign it is left out of the paths of the documents. */
  keep: string;
}

export interface Answerable {
  ask: string;
  /** How the path of the document ends that answers it. */
  document: string;
  /** What a right sentence holds, whichever document it is from. A run of white space is one space. */
  right: RegExp;
  /** A part of a path: the words of `right` are so common that they count in these documents alone. */
  within?: string;
}

export interface Collection {
  name: string;
  language: "en" | "de" | "fr" | "ja";
  packages: readonly Package[];
  answerable: readonly Answerable[];
  /** Plausible questions on the same subject whose answer the documents do not hold. */
  unanswerable: readonly string[];
}
