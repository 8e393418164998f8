// The two streams of a protocol that is spoken over stdin and stdout.
import type { Readable, Writable } from "node:stream";

export interface ProtocolStreams {
  input: Readable;
  output: Writable;
}
