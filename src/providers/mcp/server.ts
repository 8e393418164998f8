// Searches one MCP server with its search tool, or by its resources when it has none.
import { ProviderFailure } from "../../ports/provider-failure.ts";
import { termsOf, termsOfQuestion } from "../../corpus/words/terms.ts";
import { TooSlow } from "../deadline.ts";
import type { ReadDocument } from "../documents.ts";
import {
  fetchedOf,
  hitsOf,
  onlyReads,
  textOf,
  type McpHit,
  type McpItem,
  type McpResource,
  type McpTool,
  type ToolAnswer,
} from "./answers.ts";
import type { ToolDeclaration } from "../../run/model/tool-declaration.ts";
import type { McpConnection } from "./connection.ts";
import { documentOfContents, documentOfText, type ContentsOptions } from "./contents.ts";
import { originOf, placeOf, type Place } from "./places.ts";
import { ServerRequests, type Tools } from "./server-requests.ts";
import type { McpLimits } from "./limits.ts";

/** Makes or reads a document that was found, once its turn comes. */
type Candidate = (signal: AbortSignal) => Promise<ReadDocument>;

export class McpServer {
  readonly #connection: McpConnection;
  readonly #requests: ServerRequests;
  readonly #limits: McpLimits;
  readonly #contents: ContentsOptions;

  constructor(connection: McpConnection, limits: McpLimits, contents: ContentsOptions) {
    this.#connection = connection;
    this.#requests = new ServerRequests(connection);
    this.#limits = limits;
    this.#contents = contents;
  }

  get name(): string {
    return this.#connection.settings.name;
  }

  /** Reads the documents that may fit, up to the limit. Calls `onFailure` for those that could not be read. */
  async find(
    query: string,
    onFailure: (failure: ProviderFailure) => void,
    signal: AbortSignal,
  ): Promise<ReadDocument[]> {
    const tools = await this.#requests.tools(signal);
    const candidates =
      tools.search === null
        ? await this.#resourcesFor(query, signal)
        : await this.#hitsFor(query, tools, tools.search, signal);
    const documents: ReadDocument[] = [];
    for (const candidate of candidates.slice(0, this.#limits.documentsPerSearch)) {
      try {
        documents.push(await candidate(signal));
      } catch (error) {
        // When the time is over, the documents that came by then are searched.
        if (signal.reason instanceof TooSlow && documents.length > 0) {
          onFailure(this.tooSlow(signal.reason.message));
          break;
        }
        signal.throwIfAborted();
        if (!(error instanceof ProviderFailure)) throw error;
        onFailure(error);
      }
    }
    this.#connection.wentWell();
    return documents;
  }

  /** Null when the server has no such document. */
  async open(origin: string, signal: AbortSignal): Promise<ReadDocument | null> {
    if (!origin.startsWith(`${this.name}:`)) return null;
    const place = placeOf(this.name, origin, await this.#requests.tools(signal));
    return place === null ? null : await this.#read(place, "", signal);
  }

  /** The declarations of the tools for search and fetch. Empty when the user's settings call the server safe. */
  async declaredTools(signal: AbortSignal): Promise<ToolDeclaration[]> {
    if (this.#connection.settings.is_safe === true) return [];
    const { search, fetch } = await this.#requests.tools(signal);
    return [search, fetch].flatMap((tool) =>
      tool === null ? [] : [{ server: this.name, tool: tool.name, only_reads: onlyReads(tool) }],
    );
  }

  tooSlow(detail: string): ProviderFailure {
    return this.#connection.fail("too_slow", detail);
  }

  close(): void {
    this.#connection.close();
  }

  // --- searching ----------------------------------------------------------------------------------------------------

  async #hitsFor(query: string, tools: Tools, search: McpTool, signal: AbortSignal): Promise<Candidate[]> {
    const answer = await this.#requests.search(search, query, signal);
    const { search_answer } = this.#connection.settings;
    if (search_answer === "lines")
      return byFit(linesOf(answer), query, (line) => [line]).map((id) => this.#placed({ kind: "item", id }, ""));
    const hits = hitsOf(answer.structured);
    if (hits !== null) return hits.flatMap((hit) => this.#ofHit(hit, tools));
    const candidates = answer.items.flatMap((item) => this.#ofItem(item));
    const text = textOf(answer.items);
    const origin = originOf(this.name, { kind: "answer", query }, tools);
    return text.trim() === "" ? candidates : [...candidates, this.#text(origin, `${this.name}: ${query}`, text)];
  }

  #ofHit({ id, url, title, text }: McpHit, tools: Tools): Candidate[] {
    const name = id === undefined ? url : String(id);
    if (name === undefined) return [];
    const place: Place = { kind: "item", id: name };
    if (tools.fetch !== null) return [this.#placed(place, title ?? "")];
    if (typeof text !== "string" || text === "") return [];
    return [this.#text(originOf(this.name, place, tools), title ?? "", text)];
  }

  /** Items of text give nothing here: all of them together are one document. */
  #ofItem(item: McpItem): Candidate[] {
    if (item.type === "text") return [];
    if (item.type === "resource_link") return [this.#resource(item)];
    const origin = `${this.name}:${item.resource.uri}`;
    return [async (signal) => await documentOfContents(origin, "", [item.resource], this.#contents, signal)];
  }

  #text(origin: string, title: string, text: string): Candidate {
    return async () => this.#bounded(documentOfText(origin, title, text));
  }

  async #resourcesFor(query: string, signal: AbortSignal): Promise<Candidate[]> {
    const resources = await this.#requests.resources(this.#limits.maxResources, signal);
    return byFit(resources, query, wordsAbout).map((resource) => this.#resource(resource));
  }

  #resource({ uri, title, name }: McpResource): Candidate {
    return this.#placed({ kind: "resource", uri }, title ?? name ?? "");
  }

  #placed(place: Place, title: string): Candidate {
    return async (signal) => await this.#read(place, title, signal);
  }

  // --- reading ------------------------------------------------------------------------------------------------------

  async #read(place: Place, title: string, signal: AbortSignal): Promise<ReadDocument> {
    const tools = await this.#requests.tools(signal);
    const origin = originOf(this.name, place, tools);
    if (place.kind === "resource") {
      const contents = await this.#requests.contentsOf(place.uri, signal);
      return await documentOfContents(origin, title, contents, this.#contents, signal);
    }
    const answer =
      place.kind === "item"
        ? await this.#requests.fetch(this.#need(tools.fetch, "fetches"), place.id, signal)
        : await this.#requests.search(this.#need(tools.search, "searches"), place.query, signal);
    const fetched = place.kind === "item" ? fetchedOf(answer.structured) : null;
    if (fetched !== null) return this.#bounded(documentOfText(origin, fetched.title || title, fetched.text));
    const embedded = answer.items.flatMap((item) => (item.type === "resource" ? [item.resource] : []));
    if (embedded.length > 0) return await documentOfContents(origin, title, embedded, this.#contents, signal);
    return this.#bounded(documentOfText(origin, title, textOf(answer.items)));
  }

  #need(tool: McpTool | null, what: string): McpTool {
    if (tool === null) throw this.#connection.fail("bad_answer", `it has no tool that ${what}`);
    return tool;
  }

  #bounded(document: ReadDocument): ReadDocument {
    if (document.bytes.byteLength <= this.#limits.maxDocumentBytes) return document;
    throw this.#connection.fail("too_large", `${document.origin}: more than ${this.#limits.maxDocumentBytes} bytes`);
  }
}

function linesOf({ items }: ToolAnswer): string[] {
  const lines = textOf(items)
    .split("\n")
    .map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** Sorts the items by the number of terms that their words share with the query, then by their first text. */
function byFit<T>(items: readonly T[], query: string, wordsOf: (item: T) => string[]): T[] {
  const terms = new Set(termsOfQuestion(query));
  const scored = items.map((item) => {
    const words = wordsOf(item);
    return { item, name: words[0] ?? "", score: new Set(termsOf(words.join(" "))).intersection(terms).size };
  });
  scored.sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1));
  return scored.map(({ item }) => item);
}

function wordsAbout({ uri, name = "", title = "", description = "" }: McpResource): string[] {
  return [uri, name, title, description];
}
