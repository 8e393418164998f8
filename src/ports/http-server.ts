// An HTTP server on the loopback of this machine: what it is started with, and its requests.

/** One request on its connection. */
export interface Exchange {
  /** The answer may come late, or in pieces with silence between them. */
  keepOpen(): void;
}

export interface HttpServerOptions {
  /** 0 for any free port. */
  port: number;
  /** A larger body is refused before it is read. */
  maxBodyBytes: number;
  /** A connection that is silent for so long is closed. */
  idleTimeoutS: number;
  /** Never fails. */
  readonly answer: (request: Request, exchange: Exchange) => Promise<Response>;
}

export interface HttpServer {
  readonly port: number;
  /** Ends every connection. */
  stop(): Promise<void>;
}

/** Null where another process has the port. Listens on 127.0.0.1 and on nothing else. */
export type Listen = (options: HttpServerOptions) => Promise<HttpServer | null>;
