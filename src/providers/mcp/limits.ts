// Defines the limits of an MCP server in size and time.

export interface McpLimits {
  /** Time from the start of a server until it is ready. */
  startMs: number;
  /** Time for one request. */
  callMs: number;
  /** Time for one search with all documents that it reads. */
  searchMs: number;
  /** Bytes that a server may send for one request. */
  maxBytesPerCall: number;
  maxDocumentBytes: number;
  /** Documents that one search reads of each server. */
  documentsPerSearch: number;
  /** Resources that are listed of each server. */
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
