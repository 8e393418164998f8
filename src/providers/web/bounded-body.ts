// Reads the body of a response: decompressed by us, counted before and after, so that no answer fills the memory.
import { Readable, type Duplex } from "node:stream";
import zlib from "node:zlib";
import { refusal } from "./reach.ts";

/** What we ask for; anything else a server sends unasked is refused. */
export const ACCEPTED_ENCODINGS = "gzip, br";

export interface BodyLimits {
  maxBytes: number;
  /** What to do with a body that is larger: refuse it, or go on with its beginning. */
  beyond: "refuse" | "cut";
}

/** `onChunk` is told that something came. Throws a `ProviderFailure`. */
export async function readBody(
  response: Response,
  url: string,
  { maxBytes, beyond }: BodyLimits,
  onChunk: () => void,
): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const announced = Number(response.headers.get("content-length") ?? "0");
  if (announced > maxBytes && beyond === "refuse") throw tooLarge(url, maxBytes);
  const decoder = decoderOf(response.headers.get("content-encoding"), url);
  const received = chunksOf(response.body, onChunk);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of decoder === null ? received : decoded(received, decoder, url, maxBytes)) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length <= maxBytes) continue;
    if (beyond === "refuse") throw tooLarge(url, maxBytes);
    break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

async function* chunksOf(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onChunk();
    yield chunk;
  }
}

/** The decoder makes no more than one buffer ahead of what is read; what goes in is bounded like what comes out. */
async function* decoded(
  received: AsyncGenerator<Uint8Array>,
  decoder: Duplex,
  url: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bounded(received, url, maxBytes));
  source.on("error", (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && /^Z_|BROTLI|^ERR_BROTLI|^ERR__ERROR/.test(String(cause.code)))
      throw refusal("bad_answer", url, "its compression is damaged");
    throw cause;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

async function* bounded(
  received: AsyncGenerator<Uint8Array>,
  url: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of received) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(url, maxBytes);
    yield chunk;
  }
}

function decoderOf(encoding: string | null, url: string): Duplex | null {
  switch (encoding?.trim().toLowerCase() ?? "") {
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "br":
      return zlib.createBrotliDecompress();
    case "deflate":
      return zlib.createInflate();
    default:
      throw refusal("bad_answer", url, `an encoding that nobody asked for: ${encoding?.slice(0, 80) ?? ""}`);
  }
}

function tooLarge(url: string, maxBytes: number): Error {
  return refusal("too_large", url, `more than ${maxBytes} bytes`);
}
