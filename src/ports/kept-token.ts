// A token that outlives the process that made it.

export interface KeptToken {
  /** The folder of its file, by its real path; made with mode 0700. */
  folder: string;
  name: string;
  /** Is kept where none is yet; 43 signs of base64url. */
  fresh: string;
  /** True replaces a token that is there. */
  isNew: boolean;
}
