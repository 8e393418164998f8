// The route of events: the feed of a run as a stream that begins behind the last event the client has had.
import type { RunLook } from "../ports/run-log.ts";
import { askedStart, type RouteRequest, type ConsoleParts, type Handler, isNotThere, lookAt } from "./asked.ts";
import { placeOf, streamEvents } from "./event-stream.ts";
import { refusal, refused, reply } from "./replies.ts";

const MAX_CLIENTS = 500;
/** The time between two looks for a run whose documents are still being read. */
const LOOK_EVERY_MS = 300;
/** After this many looks the client has to ask again. */
const MAX_LOOKS = 100;

export function eventRoutes(parts: ConsoleParts) {
  return { events: async (asked) => await events(parts, asked) } satisfies Record<string, Handler>;
}

async function events(parts: ConsoleParts, asked: RouteRequest): Promise<Response> {
  const { feeds, ports, stop } = parts;
  const { request, query } = asked;
  const from = placeOf(request.headers.get("last-event-id") ?? query.get("after") ?? "0");
  if (feeds.clients >= MAX_CLIENTS)
    return refusal(503, "BUSY", "too many clients follow runs here", "close some pages", { "retry-after": "5" });
  const run = await madeRun(parts, asked);
  if (run instanceof Response) return run;
  const feed = feeds.of(run);
  const gone = AbortSignal.any([request.signal, stop]);
  const { body, ended } = streamEvents({ clock: ports.clock, feed, from, withLines: query.get("lines") === "1" }, gone);
  void ended.then(() => feeds.tidy());
  return reply(body, 200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
}

/** Waits for the run to be made; otherwise the refusal. */
async function madeRun(parts: ConsoleParts, asked: RouteRequest): Promise<RunLook | Response> {
  const gone = AbortSignal.any([asked.request.signal, parts.stop]);
  for (let looks = 0; ; looks++) {
    try {
      return await lookAt(parts, asked);
    } catch (error) {
      if (!isNotThere(error)) throw error;
      const envelope = await askedStart(parts, asked);
      if (envelope.error !== null) return refused(envelope);
      if (looks === MAX_LOOKS)
        return refusal(503, "BUSY", "the documents are still being read", "ask again", { "retry-after": "1" });
      await parts.ports.clock.sleep(LOOK_EVERY_MS, gone);
    }
  }
}
