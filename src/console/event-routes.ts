// The route of events: the feed of a run as a stream that begins behind the last event the client has had.
import type { RunLook } from "../ports/run-log.ts";
import { startAnswer, type RouteRequest, type ConsoleParts, type Handler, isNotThere, readRun } from "./request.ts";
import { placeOf, streamEvents } from "./event-stream.ts";
import { refusal, refused, reply } from "./replies.ts";

const MAX_CLIENTS = 500;
/** The time between two checks for a run whose documents are still being read. */
const CHECK_EVERY_MS = 300;
/** After this many checks the client has to try again. */
const MAX_CHECKS = 100;

export function eventRoutes(parts: ConsoleParts) {
  return { events: async (call) => await events(parts, call) } satisfies Record<string, Handler>;
}

async function events(parts: ConsoleParts, call: RouteRequest): Promise<Response> {
  const { feeds, ports, stop } = parts;
  const { request, query } = call;
  const from = placeOf(request.headers.get("last-event-id") ?? query.get("after") ?? "0");
  if (feeds.clients >= MAX_CLIENTS)
    return refusal(503, "BUSY", "too many clients follow runs here", "close some pages", { "retry-after": "5" });
  const run = await madeRun(parts, call);
  if (run instanceof Response) return run;
  const feed = feeds.of(run);
  const gone = AbortSignal.any([request.signal, stop]);
  const { body, ended } = streamEvents({ clock: ports.clock, feed, from, withLines: query.get("lines") === "1" }, gone);
  void ended.then(() => feeds.tidy());
  return reply(body, 200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
}

/** Waits for the run to be made; otherwise the refusal. */
async function madeRun(parts: ConsoleParts, call: RouteRequest): Promise<RunLook | Response> {
  const gone = AbortSignal.any([call.request.signal, parts.stop]);
  for (let checks = 0; ; checks++) {
    try {
      return await readRun(parts, call);
    } catch (error) {
      if (!isNotThere(error)) throw error;
      const envelope = await startAnswer(parts, call);
      if (envelope.error !== null) return refused(envelope);
      if (checks === MAX_CHECKS)
        return refusal(503, "BUSY", "the documents are still being read", "try again", { "retry-after": "1" });
      await parts.ports.clock.sleep(CHECK_EVERY_MS, gone);
    }
  }
}
