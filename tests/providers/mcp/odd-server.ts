// Runs an MCP server over stdio that can behave badly: `bun odd-server.ts MODE [FILE]`.
import fs from "node:fs";

const [mode = "tools", file = ""] = process.argv.slice(2);

const DOCUMENTS: Record<string, { title: string; text: string }> = {
  "1": { title: "Leases", text: "# Leases\n\nA lease is a right that ends.\n" },
  "2": { title: "Boats", text: "# Boats\n\nA boat floats on water; a lease of one is rare.\n" },
};

type Id = string | number;

function send(message: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  // A pipe takes only as many bytes as fit into it.
  for (let written = 0; written < bytes.byteLength;) written += fs.writeSync(1, bytes, written);
}

function reply(id: Id, result: unknown): void {
  send({ jsonrpc: "2.0", id, result });
}

function text(value: unknown): unknown {
  return { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] };
}

function tool(name: string, argument: string): unknown {
  return {
    name,
    ...annotations(),
    inputSchema: { type: "object", properties: { [argument]: { type: "string" } }, required: [argument] },
  };
}

/** The annotations of a tool: none, true ones, or malformed ones. */
function annotations(): object {
  switch (mode) {
    case "reads":
      return { annotations: { readOnlyHint: true } };
    case "destroys":
      return { annotations: { readOnlyHint: false, destructiveHint: true } };
    case "reads-and-destroys":
      return { annotations: { readOnlyHint: true, destructiveHint: true } };
    case "nonsense":
      return { annotations: { readOnlyHint: "yes" } };
    default:
      return {};
  }
}

function initialized(id: Id): void {
  const capabilities =
    mode === "resources" || mode === "blob" || mode === "monstrous" ? { resources: {} } : { tools: {} };
  reply(id, { protocolVersion: "2025-06-18", capabilities, serverInfo: { name: "odd", version: "1" } });
}

function toolAnswer(name: string, args: Record<string, string>): unknown {
  if (name === "fetch") return text({ id: args["id"], ...DOCUMENTS[args["id"] ?? ""], url: "http://a.test/" });
  switch (mode) {
    case "prose":
      return text(`About ${args["query"]}: a lease is a right that ends.`);
    case "error":
      return { ...(text("the index is gone") as object), isError: true };
    case "wrong":
      return { content: "a lease" };
    case "environment":
      return text(`lease ${JSON.stringify(process.env)}`);
    case "embedded":
      return {
        content: [
          { type: "image", data: "", mimeType: "image/png" },
          { type: "resource", resource: { uri: "note://one", mimeType: "text/plain", text: "A lease in a note." } },
          { type: "resource_link", uri: "note://two", name: "two" },
        ],
      };
    case "half-embedded":
      return {
        content: ["<unfit>", "A lease that can be read.", "A lease too many."].map((text, index) => ({
          type: "resource",
          resource: { uri: `note://${index}`, mimeType: "text/html", text },
        })),
      };
    case "deep":
      return text(`{"results":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    default:
      return text({
        results: Object.entries(DOCUMENTS).map(([id, { title }]) => ({ id, title, url: "http://a.test/" })),
      });
  }
}

const MONSTROUS_TYPE = `application/x${"t".repeat(292)}+json`;

/** Resources with fields that are too long or malformed. */
const MONSTROUS = [
  { uri: "note://type", title: "Leases", mimeType: MONSTROUS_TYPE },
  { uri: "note://half-type", title: "Leases", mimeType: "\u0000yaml" },
  { uri: "note://half\u0000", title: "A lease \u0000 in a title", mimeType: "text/plain" },
  { uri: `note://${"u".repeat(1_890)}`, title: `lease ${"t".repeat(100_000)}`, mimeType: "text/plain" },
  { uri: "note://text", name: "lease".repeat(10_000), mimeType: "text/plain" },
  { uri: "note://size", title: "\u202e\u0007\u001b[2J", mimeType: "text/plain" },
];

function resourceAnswer(uri: string): unknown {
  if (mode === "monstrous") {
    const mimeType = MONSTROUS.find((one) => one.uri === uri)?.mimeType;
    const text = `A lease of ${uri}:  \u0000 ${"lease ".repeat(uri === "note://size" ? 100_000 : 10)}`;
    return { contents: [{ uri, mimeType, text, size: -1 }] };
  }
  if (mode === "blob") {
    const blob = Buffer.from("<title>Page</title><p>A lease in HTML.</p>").toString("base64");
    return { contents: [{ uri, mimeType: "text/html", blob }] };
  }
  return { contents: [{ uri, mimeType: "text/plain", text: `A lease of ${uri}` }] };
}

function resourcePage(cursor: string | undefined): unknown {
  if (mode === "monstrous") return { resources: MONSTROUS };
  const at = Number(cursor ?? "0");
  const resources = [0, 1, 2].map((index) => ({
    uri: `note://${at + index}`,
    name: at + index === 4 ? "the lease" : "note",
  }));
  return { resources: [...resources, { uri: 7 }], nextCursor: String(at + 3) };
}

/** For a test that waits until it was asked. */
function tellAsked(): void {
  const { ASKED_FILE: file } = process.env;
  if (file !== undefined) fs.writeFileSync(file, "");
}

function misbehave(id: Id): boolean {
  switch (mode) {
    case "hang":
      tellAsked();
      return true;
    case "die":
      return process.exit(3);
    case "flood":
      for (;;)
        send({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(1_000) } });
    case "endless-line":
      for (;;) fs.writeSync(1, "x".repeat(65_536));
    case "garbage":
      for (let line = 0; line < 200; line++) fs.writeSync(1, `this is no message ${line}\n`);
      return true;
    case "a-little-garbage":
      fs.writeSync(1, "starting up...\n{not json\n[]\n");
      return false;
    case "other-id":
      reply(999, {});
      return true;
    case "refuse":
      send({ jsonrpc: "2.0", id, error: { code: -32_603, message: "no lease today" } });
      return true;
    default:
      return false;
  }
}

function handle(message: { id?: Id; method?: string; params?: Record<string, unknown> }): void {
  const { id, method, params = {} } = message;
  if (id === undefined) return;
  if (method === "initialize") {
    if (mode === "deaf") return;
    return initialized(id);
  }
  if (method === "tools/list") return reply(id, { tools: [tool("search", "query"), tool("fetch", "id")] });
  if (misbehave(id)) return;
  if (mode === "slow-fetch" && (params["arguments"] as { id?: string } | undefined)?.id === "2") return tellAsked();
  if (method === "resources/list") return reply(id, resourcePage(params["cursor"] as string | undefined));
  if (method === "resources/read") return reply(id, resourceAnswer(String(params["uri"])));
  if (method === "tools/call")
    return reply(id, toolAnswer(String(params["name"]), params["arguments"] as Record<string, string>));
  send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "unknown" } });
}

if (file !== "") {
  // Starters of servers leave children that ignore the end of their input.
  const child = Bun.spawn(["sleep", "1000"], { stdio: ["ignore", "ignore", "ignore"] });
  fs.writeFileSync(file, `${process.pid} ${child.pid}`);
  process.on("SIGTERM", () => {});
}

let pending = "";
for await (const chunk of Bun.stdin.stream()) {
  pending += new TextDecoder().decode(chunk);
  const lines = pending.split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines) handle(JSON.parse(line));
}
if (file !== "") await Bun.sleep(1_000_000);
