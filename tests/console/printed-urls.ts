// The URLs that a server prints with `--json`, one after the other: each lets one browser in.
import { z } from "zod";

const printedSchema = z.object({
  result: z.object({ url: z.string(), token: z.string(), token_file: z.string().nullable() }),
});
export type Printed = z.infer<typeof printedSchema>["result"];

export class PrintedUrls {
  readonly #lines: AsyncGenerator<string>;

  constructor(stdout: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#lines = linesOf(stdout);
  }

  /** Waits until it is printed. */
  async next(): Promise<Printed> {
    const { value = "" } = await this.#lines.next();
    const { data } = printedSchema.safeParse(JSON.parse(value || "null"));
    if (data === undefined) throw new Error(`the server did not start: ${value}`);
    return data.result;
  }
}

async function* linesOf(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return rest;
}
