// Starts servers on this machine that stand for the web: all names resolve to them, and their address counts as public.
import net from "node:net";
import { realClock } from "../../../src/system/clock.ts";
import { SimulatedClock } from "../../simulation/clock.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { ProviderFailure } from "../../../src/ports/provider-failure.ts";
import type { ExtractText } from "../../../src/providers/documents.ts";
import { guardedFetch, type FetchLimits, type GuardedFetch } from "../../../src/providers/web/guarded-fetch.ts";
import { Reach, type ReachOptions } from "../../../src/providers/web/reach.ts";
import type { ResolveHost } from "../../../src/providers/web/judged-connection.ts";

export const NO_ABORT = new AbortController().signal;
export const LIMITS: FetchLimits = { maxBytes: 100_000, beyond: "refuse", totalMs: 20_000, idleMs: 20_000 };

/** A server with its port and all paths that it was asked for. */
export class Site implements Disposable {
  readonly paths: string[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(
    answer: (request: Request, url: URL) => Response | Promise<Response>,
    options: { tls?: { cert: string; key: string } } = {},
  ) {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      development: false,
      idleTimeout: 0,
      ...options,
      fetch: async (request) => {
        const url = new URL(request.url);
        this.paths.push(`${request.headers.get("host")}${url.pathname}`);
        return await answer(request, url);
      },
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  at(host: string, path = "/", scheme = "http"): string {
    return `${scheme}://${host}:${this.port}${path}`;
  }

  /** The paths of pages that were asked for, without robots.txt. */
  get pages(): string[] {
    return this.paths.filter((path) => !path.endsWith("/robots.txt"));
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

/** A server of raw TCP. */
export async function rawServer(onSocket: (socket: net.Socket) => void): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function page(title: string, ...paragraphs: string[]): Response {
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
  return new Response(`<html><title>${title}</title><body>${body}</body></html>`, {
    headers: { "content-type": "text/html" },
  });
}

/** All names resolve to 127.0.0.1, which counts as public. All ports are allowed, since those of servers are not known before. */
export function openReach(sites: readonly Site[], options: Partial<ReachOptions> = {}): Reach {
  return new Reach({
    sensitivity: "normal",
    allowedHosts: ["127.0.0.1"],
    ports: sites.map(({ port }) => port),
    ...options,
  });
}

export const toLoopback: ResolveHost = async () => ["127.0.0.1"];

export function fetchOver(
  sites: readonly Site[],
  options: { reach?: Reach; resolve?: ResolveHost; clock?: Clock; certificateAuthorities?: string } = {},
): GuardedFetch {
  return guardedFetch({
    reach: openReach(sites),
    resolve: toLoopback,
    clock: realClock,
    userAgent: "test/1",
    ...options,
  });
}

/** The failure with which a promise was rejected. Anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<ProviderFailure["failure"]> {
  const error: unknown = await work.then(
    () => "it did not fail",
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProviderFailure) return error.failure;
  throw error;
}

export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return (await failureOf(work)).reason;
}

/** Reads a page by removing its tags, which is enough for tests. */
export const plainExtract: ExtractText = async (bytes, mediaType) => {
  const text = new TextDecoder().decode(bytes);
  if (!mediaType.startsWith("text/html")) return { kind: "text", text, textFrom: { text_from: "bytes" } };
  if (text.includes("<unfit>")) return { kind: "unfit", reason: "it has no text" };
  const title = /<title>(.*?)<\/title>/.exec(text)?.[1];
  const body = text
    .replace(/<title>.*?<\/title>/, "")
    .replace(/<\/p>/g, "\n\n")
    .replace(/<[^>]*>/g, "");
  const textFrom = { text_from: "extracted" } as const;
  return { kind: "text", text: body.trim(), textFrom, ...(title === undefined ? {} : { title }) };
};

export function text(body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { "content-type": "text/plain", ...headers } });
}

/** A request to a server of raw TCP. */
export function fetchFrom(port: number, path = "/", limits = LIMITS, clock = new SimulatedClock()) {
  const reach = new Reach({ sensitivity: "normal", allowedHosts: ["127.0.0.1"], ports: [port] });
  const request = { url: `http://raw.test:${port}${path}`, trust: "named", limits } as const;
  return fetchOver([], { reach, clock })(request, NO_ABORT);
}
