// Limits of an MCP server in size and time.

export interface McpLimits {
  /** From the start of a server to its answer that it is ready. */
  startMs: number;
  /** For one request. */
  callMs: number;
  /** For one search, with all that it reads. */
  searchMs: number;
  /** For everything that a server sends for one request. */
  maxBytesPerCall: number;
  maxDocumentBytes: number;
  /** Documents read for one search, of each server. */
  documentsPerSearch: number;
  /** Resources that are listed, of each server. */
  maxResources: number;
  cacheBytes: number;
}

export const DEFAULT_MCP_LIMITS: McpLimits = {
  startMs: 30_000,
  callMs: 60_000,
  searchMs: 120_000,
  maxBytesPerCall: 32 * 1024 * 1024,
  maxDocumentBytes: 8 * 1024 * 1024,
  documentsPerSearch: 20,
  maxResources: 500,
  cacheBytes: 128 * 1024 * 1024,
};
