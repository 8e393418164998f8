// The MCP server over streamable HTTP, as `serve` has it, with the official client at its other end.
import { expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { TOOLS } from "../../src/mcp/tools.ts";
import { Served } from "../console/served.ts";
import { Host } from "../crash/real-processes.ts";
import { QUESTION } from "../simulation/run-world.ts";

const TIMEOUT_MS = 600_000;

async function connected(served: Served, mode: "legacy" | "auto", token: string): Promise<Client> {
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", served.url), { requestInit }));
  return client;
}

for (const mode of ["legacy", "auto"] as const)
  test(
    `a run is started and followed to its end over the protocol of ${mode}`,
    async () => {
      using host = new Host();
      await using served = await Served.open(host, "--port", "0");
      const client = await connected(served, mode, served.token);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
      const given = { question: QUESTION, corpus: [host.corpus], run_id: "over-http", wait: 50 };
      const { structuredContent } = await client.callTool({ name: "run_start", arguments: given });
      expect(structuredContent).toMatchObject({ ok: true, contract: { run_id: "over-http" } });
      const { resources } = await client.listResources();
      expect(resources[0]?.uri).toBe("deep-research://runs/over-http");
      await client.close();
      const { body } = await served.ask("GET", "/api/runs/over-http");
      expect(body).toMatchObject({ execution_state: "completed" });
    },
    TIMEOUT_MS,
  );

test("control: without the token nobody gets an answer", async () => {
  using host = new Host();
  await using served = await Served.open(host, "--port", "0");
  const refused = await connected(served, "legacy", "wrong").then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(Error);
});
