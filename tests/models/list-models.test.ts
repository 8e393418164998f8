// The models that a server says it has: only from a list, never over a redirect, and not where a run may not ask.
import { describe, expect, test } from "bun:test";
import { ModelFailure } from "../../src/ports/model.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { openModels } from "../../src/models/models.ts";
import { listModels } from "../../src/operations/setup/list-models.ts";
import { realClock } from "../../src/system/clock.ts";

const KEY = "key-of-a-server-that-is-long";

function answering(answer: (request: Request) => Response | Promise<Response>) {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(`${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
      return answer(request);
    },
  });
  const url = `http://127.0.0.1:${server.port}/v1`;
  return { url, seen, [Symbol.asyncDispose]: async () => await server.stop(true) };
}

const models = openModels({ environment: { DEEP_RESEARCH_API_KEY: KEY }, clock: realClock });
const list = async (url: string) => await models.list(url, { signal: new AbortController().signal });

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ModelFailure) return error.message;
  if (error instanceof RunError) return `${error.code}: ${String(error.facts["reason"])}`;
  throw error;
}

test("are its names, asked with the key of compatible", async () => {
  await using server = answering(() =>
    Response.json({ object: "list", data: [{ id: "a", more: 1 }, { id: "b/c:8b" }] }),
  );
  expect(await list(server.url)).toEqual(["a", "b/c:8b"]);
  expect(await list(`${server.url}/`)).toEqual(["a", "b/c:8b"]);
  expect(server.seen).toEqual([`/v1/models Bearer ${KEY}`, `/v1/models Bearer ${KEY}`]);
});

describe("are refused, in words that hold no key", () => {
  test.each([
    ["a page", () => new Response("<html>"), "not with a list of models"],
    ["another form", () => Response.json({ models: [] }), "not with a list of models"],
    ["a name that is none", () => Response.json({ data: [{ id: "x".repeat(300) }] }), "not with a list of models"],
    ["a list without end", () => new Response(`[${"1,".repeat(4_000_000)}`), "not with a list of models"],
    ["a refusal", () => new Response(`no ${KEY}`, { status: 401 }), "answers 401"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/v1/models"), "redirect"],
  ])("%s", async (_name, answer, words) => {
    await using server = answering(answer);
    const said = await refusal(list(server.url));
    expect(said).toContain(words);
    expect(said).not.toContain(KEY);
    expect(server.seen.length).toBe(1);
  });

  test("nobody at all", async () => {
    expect(await refusal(list("http://127.0.0.1:9/v1"))).toContain("cannot be reached");
  });
});

test("are asked for only where a run may ask a model, at a URL that is one", async () => {
  const { signal } = new AbortController();
  const ask = (url: string, sensitivity: "normal" | "restricted" | "no_web") =>
    refusal(listModels({ loadModels: async () => models }, url, sensitivity, signal));
  for (const sensitivity of ["restricted", "no_web"] as const)
    expect(await ask("http://192.0.2.1/v1", sensitivity)).toContain("calls only models that are on this machine");
  for (const url of ["", "file:///etc/passwd", "http://u:p@127.0.0.1/v1", "127.0.0.1:11434"])
    expect(await ask(url, "normal")).toStartWith("INVALID_ARGS");
  await using server = answering(() => Response.json({ data: [{ id: "m" }] }));
  expect(await listModels({ loadModels: async () => models }, server.url, "no_web", signal)).toEqual(["compatible:m"]);
});
