// The server of the store, for one piece of work.
import type { Ports } from "../../ports/ports.ts";
import type { StoreServer } from "../../ports/store-server.ts";

/** Errors: those of the work, and `INVALID_ARGS.store` where no store is named. */
export async function withServer<T>(
  { storeServer }: Pick<Ports, "storeServer">,
  work: (server: StoreServer) => Promise<T>,
  url?: string,
): Promise<T> {
  const server = await storeServer(url);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
