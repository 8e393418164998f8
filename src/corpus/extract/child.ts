// Runs in the child process: takes the text out of documents, with requests on stdin and answers on stdout.
import fs from "node:fs";
import { MOST_DOCUMENT_BYTES } from "../formats/formats.ts";
import { requestSchema, type Answer, type OnPage } from "./extraction.ts";
import { extract } from "./extract.ts";
import { BadFrame, frameBytes, FrameReader, type Frame } from "./frames.ts";

/** Returns when stdin ends. When the parent is gone, the guard ends the process even in the middle of a document. */
export async function runExtractChild(): Promise<void> {
  silenceLibraries();
  startGuard();
  const reader = new FrameReader(MOST_DOCUMENT_BYTES);
  send({ kind: "ready" });
  for await (const piece of Bun.stdin.stream()) {
    reader.add(piece);
    for (let frame = reader.next(); frame !== null; frame = reader.next()) await answer(frame);
  }
}

async function answer({ head, body }: Frame): Promise<void> {
  const request = requestSchema.safeParse(head);
  if (!request.success) throw new BadFrame("not a request");
  const extracted = await extract(request.data.kind, body, pageReporter());
  if (extracted.kind === "text") send({ kind: "text" }, Buffer.from(extracted.text));
  else send(extracted);
}

const BETWEEN_PAGES_MS = 200;

function pageReporter(): OnPage {
  let reportedMs = -Infinity;
  return (place) => {
    if (performance.now() - reportedMs < BETWEEN_PAGES_MS) return;
    reportedMs = performance.now();
    send({ kind: "page", ...place });
  };
}

function send(head: Answer, body: Uint8Array = new Uint8Array()): void {
  for (const piece of frameBytes(head, body)) {
    for (let written = 0; written < piece.byteLength;) written += writeSome(piece.subarray(written));
  }
}

function writeSome(bytes: Uint8Array): number {
  try {
    return fs.writeSync(process.stdout.fd, bytes);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EAGAIN") throw error;
    Bun.sleepSync(1);
    return 0;
  }
}

/** Libraries must not write to stdout, which carries the answers. */
function silenceLibraries(): void {
  const silent = (): void => {};
  Object.assign(console, { log: silent, info: silent, warn: silent, error: silent, debug: silent });
}

/** A thread of its own watches the parent, since a document that hangs keeps this one from seeing the end of stdin. */
function startGuard(): void {
  const source = `const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 250);`;
  new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))).unref();
}
