// The server as a real process over a small corpus, with the official client at its other end.
import { join } from "node:path";
import { Client, type Progress, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { z } from "zod";
import { envelopeSchema } from "../../src/surface/schemas.ts";
import { Host } from "../crash/real-processes.ts";
import { PROGRAM } from "../program.ts";
import { QUESTION } from "../simulation/run-world.ts";

const [COMMAND, ...FIRST_WORDS] = PROGRAM;

export interface Called {
  envelope: z.infer<typeof envelopeSchema>;
  result: Record<string, unknown>;
  isError: boolean;
  progress: string[];
  words: string;
}

export class Connected implements AsyncDisposable {
  readonly host = new Host();
  readonly client: Client;
  readonly #transport = new StdioClientTransport({
    command: COMMAND,
    args: [...FIRST_WORDS, "mcp", "--runs-root", this.host.runsRoot],
    cwd: this.host.folder,
    env: {
      ...(process.env as Record<string, string>),
      XDG_CACHE_HOME: join(this.host.folder, "cache"),
      XDG_DATA_HOME: join(this.host.folder, "data"),
      XDG_CONFIG_HOME: join(this.host.folder, "config"),
    },
  });

  constructor(protocol: VersionNegotiationMode) {
    this.client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: protocol } });
  }

  static async open(protocol: VersionNegotiationMode = "legacy"): Promise<Connected> {
    const connected = new Connected(protocol);
    await connected.client.connect(connected.#transport);
    return connected;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  /** The result as programs get it. Its text is words first, then the same object, but for the report that the words are. */
  async call(name: string, given: Record<string, unknown>): Promise<Called> {
    const progress: string[] = [];
    const onprogress = ({ message = "" }: Progress): void => void progress.push(message);
    const called = await this.client.callTool({ name, arguments: given }, { onprogress });
    const { content, structuredContent, isError = false } = called;
    const [words, object] = content.map((part) => (part.type === "text" ? part.text : ""));
    if (words === undefined || words === "" || content.length !== 2) throw new Error("not words and an object");
    const envelope = envelopeSchema.parse(structuredContent);
    const { report_md, ...rest } = (envelope.result ?? {}) as Record<string, unknown>;
    const shown = report_md === undefined ? structuredContent : { ...(structuredContent as object), result: rest };
    if (object !== JSON.stringify(shown)) throw new Error("the text is another one than the object");
    if (report_md !== undefined && words !== report_md) throw new Error("the words are not the report");
    if (envelope.ok === isError) throw new Error("isError is not what ok says");
    return { envelope, result: (envelope.result ?? {}) as Record<string, unknown>, isError, progress, words };
  }

  /** A run of the one question over the small corpus; its id. */
  async start(): Promise<string> {
    const { envelope } = await this.call("run_start", { question: QUESTION, corpus: [this.host.corpus] });
    return envelope.contract.run_id ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    this.host[Symbol.dispose]();
  }
}
