// The next provider is asked when one fails, and the answer names both.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { blockedUrlOf, ProviderFailure } from "../../src/ports/provider-failure.ts";
import type { FetchOutcome, Passage, Provider } from "../../src/ports/provider.ts";
import { FallbackProvider } from "../../src/providers/fallback.ts";
import type { ProviderId } from "../../src/run/common.ts";
import type { UnreachedReason } from "../../src/run/report/blocked-urls.ts";
import { provenanceSchema } from "../../src/run/log/provenance.ts";
import { failureOf, NO_ABORT } from "./web/loopback.ts";

interface Mood {
  fails?: UnreachedReason;
  retry_at?: string;
  throws?: Error;
  finds?: string[];
}

/** A provider that fails or answers as the test says. */
class MoodyProvider implements Provider {
  readonly id: ProviderId;
  mood: Mood;
  queries = 0;
  isClosed = false;

  constructor(id: ProviderId, mood: Mood) {
    this.id = id;
    this.mood = mood;
  }

  async search(): Promise<Passage[]> {
    this.queries++;
    const { fails, throws, retry_at, finds = [] } = this.mood;
    if (throws !== undefined) throw throws;
    if (fails !== undefined)
      throw new ProviderFailure({ reason: fails, provider_id: this.id, url: this.id, detail: "moody", retry_at });
    return finds.map((text) => passageOf(text, this.id));
  }

  async fetch({ origin }: Pick<Passage, "origin">): Promise<FetchOutcome> {
    const bytes = new TextEncoder().encode(origin);
    if (!origin.startsWith(this.id)) return { kind: "gone", reason: `${this.id} does not know it` };
    const textFrom = { text_from: "bytes" } as const;
    return {
      kind: "document",
      document: { origin, title: origin, media_type: "text/plain", bytes, text: bytes, textFrom },
    };
  }

  close(): void {
    this.isClosed = true;
  }
}

function passageOf(text: string, id: ProviderId): Passage {
  const origin = `${id}/${text}`;
  return { origin, title: text, document_digest: digestOfBytes(origin), start: 0, end: text.length, text, score: 1 };
}

function open(...providers: MoodyProvider[]) {
  const provider = new FallbackProvider({ providers, requested: "web", resolvedFrom: "run" });
  const search = (): Promise<Passage[]> => provider.search("question", 5, NO_ABORT);
  return { provider, search };
}

const WEB = { requested_provider_id: "web", resolved_provider_id: "web", resolved_from: "run" } as const;

describe("fallback", () => {
  test("the first provider answers, even if it finds nothing, and no other is asked", async () => {
    const [web, files] = [new MoodyProvider("web", {}), new MoodyProvider("filesystem", { finds: ["a"] })];
    const { provider, search } = open(web, files);
    expect(await search()).toEqual([]);
    expect(files.queries).toBe(0);
    expect(provider.answers()).toEqual([{ ...WEB, answered_provider_id: "web" }]);
  });

  test("the next provider answers when the first fails, and the answer names both and the failure", async () => {
    const [web, files] = [
      new MoodyProvider("web", { fails: "quota" }),
      new MoodyProvider("filesystem", { finds: ["a"] }),
    ];
    const { provider, search } = open(web, files);
    const [passage] = await search();
    await search();
    expect(provider.answers()).toEqual([
      { ...WEB, answered_provider_id: "filesystem", fallback_from_provider_id: "web", error: "web: quota" },
    ]);
    for (const answer of provider.answers()) provenanceSchema.parse({ ...answer, source_count: 0, quote_count: 0 });
    if (passage === undefined) throw new Error("nothing found");
    expect(await provider.fetch(passage, NO_ABORT)).toMatchObject({
      kind: "document",
      document: { provider_id: "filesystem" },
    });
    web.mood = { finds: ["b"] };
    await search();
    expect(provider.answers().at(-1)).toEqual({ ...WEB, answered_provider_id: "web" });
  });

  test("a passage of an earlier process is read from any provider", async () => {
    const { provider } = open(new MoodyProvider("web", {}), new MoodyProvider("mcp", {}));
    expect(await provider.fetch(passageOf("x", "mcp"), NO_ABORT)).toMatchObject({
      kind: "document",
      document: { provider_id: "mcp" },
    });
    expect(await provider.fetch(passageOf("x", "filesystem"), NO_ABORT)).toMatchObject({ kind: "gone" });
    expect(await provider.open("web/x", NO_ABORT)).toEqual({ kind: "gone", reason: "no provider knows it" });
    const opening = Object.assign(new MoodyProvider("mcp", {}), {
      open: (origin: string): Promise<FetchOutcome> => opening.fetch({ origin }),
    });
    const opened = await open(new MoodyProvider("web", {}), opening).provider.open("mcp/x", NO_ABORT);
    expect(opened).toMatchObject({ kind: "document", document: { origin: "mcp/x", provider_id: "mcp" } });
  });

  test("when all fail, the failure with the nearest time is thrown, and no answer is noted", async () => {
    const retry_at = "2025-01-01T00:00:00.000Z";
    const { provider, search } = open(
      new MoodyProvider("web", { fails: "unauthorized" }),
      new MoodyProvider("mcp", { fails: "rate_limited", retry_at }),
    );
    expect(await failureOf(search())).toMatchObject({ reason: "rate_limited", retry_at });
    expect(provider.answers()).toEqual([{ ...WEB, error: "web: unauthorized; mcp: rate_limited" }]);
  });

  test("failures to reach something are taken from all providers", () => {
    const entry = blockedUrlOf(
      new ProviderFailure({ reason: "dns", provider_id: "web", url: "http://a/", detail: "" }),
      0,
    );
    const web = Object.assign(new MoodyProvider("web", {}), { takeBlocked: () => [entry] });
    expect(open(web, new MoodyProvider("mcp", {})).provider.takeBlocked()).toEqual([entry]);
  });

  test("an error that is no failure of a provider is thrown", async () => {
    const files = new MoodyProvider("filesystem", { finds: ["a"] });
    const { provider, search } = open(new MoodyProvider("web", { throws: new Error("a bug") }), files);
    await search().then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("a bug"),
    );
    expect(files.queries).toBe(0);
    provider.close();
    expect(files.isClosed).toBe(true);
  });
});
