// The researcher's tools without a model: calls are run in order, and their results read back as in a conversation.
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { readingTools } from "../../../src/drivers/research/research.ts";
import type { TaskTools, ToolAnswer } from "../../../src/ports/driver.ts";
import type { Passage } from "../../../src/ports/provider.ts";
import type { Message } from "../../../src/run/model/conversation.ts";
import { LIMITS_BY_MODE, type Limits } from "../../../src/run/settings/settings.ts";
import type { Source } from "../../../src/run/report/source.ts";

export class ToolBench {
  readonly messages: Message[] = [];
  readonly queries: string[] = [];
  readonly kept: string[] = [];
  readonly #resultLength: number;
  readonly #scores: readonly number[];
  readonly #documents: ReadonlyMap<string, string>;
  readonly #tools;

  readonly #pages: ReadonlyMap<string, string>;

  /** `pages`: of the web, HTML by address; a run with some may open them. */
  constructor(
    documents: Record<string, string>,
    limits: Partial<Limits> = {},
    pages: Record<string, string> = {},
    resultLength = 24_000,
    /** `scores`: of the passages that a search finds, in their order. */
    { scores = [], ...more }: Partial<TaskTools> & { scores?: readonly number[] } = {},
  ) {
    this.#resultLength = resultLength;
    this.#scores = scores;
    this.#pages = new Map(Object.entries(pages));
    this.#documents = new Map([...Object.entries(documents), ...this.#pages].map(([at, text]) => [at, textOf(text)]));
    this.#tools = readingTools({
      tools: { ...this.#taskTools(), ...more },
      messages: () => this.messages,
      parts: [{ id: "one", text: "the one", terms: [] }],
      limits: { ...LIMITS_BY_MODE.quick, ...limits },
    });
  }

  async call(name: string, args: unknown): Promise<ToolAnswer> {
    const tool = this.#tools.find(({ description }) => description.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const answer = await tool.run(JSON.stringify(args));
    // Once through JSON, as the journal has it.
    const stored = JSON.parse(JSON.stringify(answer)) as ToolAnswer;
    const message_id = this.messages.length;
    this.messages.push({ message_id, role: "tool", tool_call_id: `call_${message_id}`, name, ...stored });
    return answer;
  }

  /** The model says something: calls from here on belong to another reply. */
  reply(): void {
    this.messages.push({ message_id: this.messages.length, role: "assistant", content: "", tool_calls: [] });
  }

  /** What the model is told, as an object. */
  async told<T = Record<string, unknown>>(name: string, args: unknown): Promise<T> {
    return JSON.parse((await this.call(name, args)).content) as T;
  }

  #taskTools(): TaskTools {
    return {
      search: async (query, limit) => {
        this.queries.push(query);
        const found = this.#passages(query).map((one, at) => ({ ...one, score: this.#scores[at] ?? one.score }));
        return found.slice(0, limit);
      },
      keep: async ({ origin }) => {
        this.kept.push(origin);
        const text = new TextEncoder().encode(this.#documents.get(origin));
        const isPage = this.#pages.has(origin);
        const media_type = isPage ? "text/html" : "text/markdown";
        const source = { source_digest: digestOfBytes(text), title: origin, origin, media_type } as Source;
        return { kind: "kept", source, text };
      },
      ...(this.#pages.size === 0 ? {} : { pages: this.#pagesOfWeb() }),
      sourceText: async (digest) => {
        const texts = [...this.#documents.values()].map((text) => new TextEncoder().encode(text));
        return texts.find((text) => digestOfBytes(text) === digest) ?? new Uint8Array();
      },
      step: "a step",
      take: () => Promise.reject(new Error("nobody brings anything")),
      resultLength: this.#resultLength,
      converse: () => Promise.reject(new Error("no model")),
      say: () => {},
      signal: new AbortController().signal,
    };
  }

  #pagesOfWeb(): NonNullable<TaskTools["pages"]> {
    return {
      keep: async (origin) => {
        if (!this.#pages.has(origin)) return { kind: "gone", reason: "status 404" };
        return await this.#taskTools().keep({ origin, document_digest: digestOfBytes(origin) });
      },
      bytesOf: async (digest) => {
        const page = [...this.#pages.values()].find((html) => digestOfBytes(textOf(html)) === digest);
        return new TextEncoder().encode(page);
      },
    };
  }

  /** The paragraphs and rows of tables that hold the query, in the order of the documents. */
  #passages(query: string): Passage[] {
    return [...this.#documents].flatMap(([origin, text]) =>
      text.split("\n\n").flatMap((paragraph) => {
        const isTable = paragraph.startsWith("|");
        const [columns = "", ...rows] = paragraph.split("\n");
        return (isTable ? rows : [paragraph]).flatMap((found) => {
          if (!found.includes(query)) return [];
          const start = Buffer.byteLength(text.slice(0, text.indexOf(found)));
          const end = start + Buffer.byteLength(found);
          const place = { origin, title: `About ${origin}`, document_digest: digestOfBytes(text), start, end };
          return [{ ...place, text: found, ...(isTable ? { columns } : {}), score: 1.25 }];
        });
      }),
    );
  }
}

function textOf(text: string): string {
  return text.replace(/<[^>]*>/g, "");
}
