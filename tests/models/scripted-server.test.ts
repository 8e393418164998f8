// The scripted server does what its script says, on both wires, and sees all that comes.
import { describe, expect, test } from "bun:test";
import { asksFor, says, SERVER_ERROR, type Answer, type MessageAnswer } from "./answers.ts";
import { thrownBy } from "./asking.ts";
import { scriptedServer, type ScriptedServer } from "./scripted-server.ts";

const PATHS = { openai: "/chat/completions", anthropic: "/messages" } as const;

function post(server: ScriptedServer, wire: keyof typeof PATHS, body: object = { stream: true }): Promise<Response> {
  return fetch(`${server.baseUrl}${PATHS[wire]}`, { method: "POST", body: JSON.stringify({ model: "m", ...body }) });
}

async function bytesOf(response: Response): Promise<number> {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
  } catch {
    return -bytes;
  }
  return bytes;
}

test("answers follow the list; a request beyond it is refused and noted", async () => {
  await using server = await scriptedServer([says("one"), SERVER_ERROR]);
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await post(server, "openai")).status);
  expect(statuses).toEqual([200, 500, 501]);
  expect(server.unexpected.map(({ number }) => number)).toEqual([3]);
});

test("or a function of the request, which sees what was asked", async () => {
  await using server = await scriptedServer(({ number, body }) =>
    says(`${number} ${(body as { model: string }).model}`),
  );
  await (await post(server, "openai", { stream: false, model: "a" })).text();
  expect(await (await post(server, "openai", { stream: false, model: "b" })).json()).toMatchObject({
    choices: [{ message: { content: "2 b" }, finish_reason: "stop" }],
  });
  expect(server.requests.map(({ wire, path, ended }) => [wire, path, ended])).toEqual([
    ["openai", "/v1/chat/completions", "answered"],
    ["openai", "/v1/chat/completions", "answered"],
  ]);
});

describe.each(["openai", "anthropic"] as const)("the wire of %s", (wire) => {
  const answer: MessageAnswer = {
    ...asksFor([{ id: "c", name: "search", arguments: { q: 1 } }]),
    text: "Hm.",
    reasoning: "So.",
  };

  test("gives a whole message to who asks for no stream", async () => {
    await using server = await scriptedServer([answer]);
    const text = JSON.stringify(await (await post(server, wire, { stream: false })).json());
    for (const part of ["Hm.", "So.", "search", '"c"']) expect(text).toContain(part);
  });

  test("gives events to who does", async () => {
    await using server = await scriptedServer([{ ...answer, delta_length: 1 }]);
    const response = await post(server, wire);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
    expect(lines.length).toBeGreaterThan(12);
    for (const line of lines) expect(() => JSON.parse(line.slice("data: ".length)) as unknown).not.toThrow();
  });

  test("is cut at the byte that the script names, broken or ended", async () => {
    for (const cut of ["break", "end"] as const) {
      await using server = await scriptedServer([{ ...answer, cut_at: 77, cut }]);
      expect(Math.abs(await bytesOf(await post(server, wire)))).toBeLessThanOrEqual(77);
      expect(server.requests[0]?.ended).toBe("cut");
    }
  });
});

test("a broken answer is an error of the connection, an ended one is not", async () => {
  const answer = (cut: "break" | "end"): Answer => ({ ...says("Hello"), cut_at: 50, cut });
  await using server = await scriptedServer([answer("break"), answer("end")]);
  await thrownBy(post(server, "openai").then((response) => response.text()));
  expect(await (await post(server, "openai")).text()).toHaveLength(50);
});

test("what is held is passed on when it is released, and only then", async () => {
  await using server = await scriptedServer([says("one", { hold: true }), says("two", { hold_at: 20 })]);
  const held = post(server, "openai");
  await server.arrived(1);
  expect(server.requests[0]?.ended).toBe("open");
  server.release();
  expect(await (await held).text()).toContain("one");
  const response = await post(server, "openai");
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.byteLength).toBe(20);
  server.release();
  let last = await reader?.read();
  while (last?.done === false) last = await reader?.read();
  expect(server.requests[1]?.ended).toBe("answered");
});

test("a client that leaves is seen", async () => {
  await using server = await scriptedServer([{ kind: "silence" }]);
  const leave = new AbortController();
  const fetched = fetch(`${server.baseUrl}/chat/completions`, { method: "POST", body: "{}", signal: leave.signal });
  await server.arrived(1);
  leave.abort();
  await thrownBy(fetched);
  while (server.requests[0]?.ended === "open") await Bun.sleep(1);
  expect(server.requests[0]?.ended).toBe("left");
});
