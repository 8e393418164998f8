// The HTTP server of the runtime, bound to the loopback alone.
import { errnoOf } from "../kernel/errors.ts";
import type { HttpServer, HttpServerOptions } from "../ports/http-server.ts";

export async function listen(options: HttpServerOptions): Promise<HttpServer | null> {
  const { port, maxBodyBytes, idleTimeoutS, answer } = options;
  try {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port,
      // In development a fault would show its stack, and pages would reload themselves.
      development: false,
      // Outside of development Bun shares ports by default, and a second server would get a part of the requests.
      reusePort: false,
      maxRequestBodySize: maxBodyBytes,
      idleTimeout: idleTimeoutS,
      fetch: async (request, own) => await answer(request, { keepOpen: () => own.timeout(request, 0) }),
      error: () => new Response(null, { status: 500 }),
    });
    return { port: server.port ?? port, stop: async () => await server.stop(true) };
  } catch (error) {
    if (errnoOf(error) === "EADDRINUSE") return null;
    throw error;
  }
}
