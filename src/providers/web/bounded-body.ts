// Reads the body of a response. Its bytes are counted before and after decompression, so that no answer fills the memory.
import { Duplex } from "node:stream";
import zlib from "node:zlib";
import { codeOf } from "./judged-connection.ts";
import { refusal } from "./reach.ts";

/** The encodings that requests accept. Most others are refused. */
export const ACCEPTED_ENCODINGS = "gzip, br";

export interface BodyLimits {
  maxBytes: number;
  /** Refuses a larger body, or takes its beginning. */
  beyond: "refuse" | "cut";
}

/** Calls `onChunk` for each chunk that comes. Throws a `ProviderFailure`. */
export async function readBody(
  response: Response,
  url: string,
  { maxBytes, beyond }: BodyLimits,
  onChunk: () => void,
): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const tooLarge = (): Error => refusal("too_large", url, `more than ${maxBytes} bytes`);
  const announced = Number(response.headers.get("content-length") ?? "0");
  if (announced > maxBytes && beyond === "refuse") throw tooLarge();
  const decoder = decoderOf(response.headers.get("content-encoding"), url);
  const received = counted(response.body, decoder === null ? Infinity : maxBytes, tooLarge, onChunk);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decoder === null ? received : decoded(received, decoder)) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length > maxBytes && beyond === "refuse") throw tooLarge();
      if (length > maxBytes) break;
    }
  } catch (cause) {
    const isOfDecoder = decoder !== null && /^Z_|BROTLI|^ERR__ERROR/.test(codeOf(cause));
    throw isOfDecoder ? refusal("bad_answer", url, "its compression is damaged") : cause;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** The decoder works only a little ahead of the reader, and ignores bytes behind the end. */
function decoded(body: ReadableStream<Uint8Array>, decoder: Duplex): ReadableStream<Uint8Array> {
  return body.pipeThrough(Duplex.toWeb(decoder) as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** The body as it comes; it fails with `tooLarge` beyond `maxBytes`. */
export function counted(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
  onChunk: () => void = () => {},
): ReadableStream<Uint8Array> {
  let length = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onChunk();
      length += chunk.byteLength;
      if (length <= maxBytes) controller.enqueue(chunk);
      else controller.error(tooLarge());
    },
  });
  return body.pipeThrough(counter);
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
      throw refusal("bad_answer", url, `it sends an encoding that was not requested: ${encoding?.slice(0, 80) ?? ""}`);
  }
}
