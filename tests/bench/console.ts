// The console as a process: what 200 idle clients take, and how long an event takes from the journal to a client.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { RecordDraft } from "../../src/run/log/record.ts";
import type { Figure } from "./bench.ts";
import { benchFolder, MAIN, makeRun, median, ports } from "./fixtures.ts";

const CLIENTS = 200;
const EVENTS = 100;
const MEGABYTE = 1024 * 1024;
const MOST_MEGABYTES = 100;
const MOST_MS = 100;

interface Opened {
  port: number;
  token: string;
}

export async function consoleFigures(): Promise<Figure[]> {
  const folder = benchFolder();
  const runsRoot = path.join(folder, "runs");
  const runRoot = path.join(runsRoot, "dr_1");
  await makeRun(runRoot);
  const child = Bun.spawn([process.execPath, MAIN, "serve", "--port", "0", "--json", "--runs-root", runsRoot], {
    env: { ...process.env, XDG_STATE_HOME: path.join(folder, "state") },
  });
  const sockets: net.Socket[] = [];
  try {
    const served = await opened(child);
    // One client first, so that what is loaded once is loaded.
    sockets.push(await follow(served, () => {}));
    await Bun.sleep(1_000);
    const before = memoryOf(child.pid);
    for (let at = 1; at < CLIENTS; at++) sockets.push(await follow(served, () => {}));
    await Bun.sleep(3_000);
    const after = memoryOf(child.pid);
    const alone = await latencies(runRoot, served);
    for (let at = 0; at < 5; at++) (await follow(served, () => {})).pause();
    const beside = await latencies(runRoot, served);
    return [
      {
        name: `${CLIENTS} idle clients`,
        value: `${((after - before) / MEGABYTE).toFixed(1)} MB more than one; the whole process ${(after / MEGABYTE).toFixed(0)} MB`,
        target: `at most ${MOST_MEGABYTES} MB more`,
        holds: after - before <= MOST_MEGABYTES * MEGABYTE,
      },
      ...[
        { name: `an event from the journal to the last of ${CLIENTS} clients`, times: alone },
        { name: "the same beside five clients that read nothing", times: beside },
      ].map(({ name, times }) => ({
        name,
        value: `median ${median(times).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms`,
        target: `median at most ${MOST_MS} ms`,
        holds: median(times) <= MOST_MS,
      })),
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill("SIGKILL");
    fs.rmSync(folder, { recursive: true });
  }
}

async function opened(child: Bun.Subprocess<"ignore", "pipe", "inherit">): Promise<Opened> {
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) break;
  }
  return (JSON.parse(text) as { result: Opened }).result;
}

/** Resolves once the stream has begun. */
async function follow({ port, token }: Opened, onText: (text: string) => void): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  const begun = Promise.withResolvers<void>();
  socket.on("data", (bytes) => {
    begun.resolve();
    onText(bytes.toString("utf8"));
  });
  socket.write(
    `GET /api/runs/dr_1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await begun.promise;
  return socket;
}

/** Milliseconds from the commit that is durable to the client that follows last, for records that come as they come. */
async function latencies(runRoot: string, served: Opened): Promise<number[]> {
  const seen = new Map<number, number>();
  const socket = await follow(served, (text) => {
    for (const [, seq] of text.matchAll(/^id: (\d+)$/gm)) seen.set(Number(seq), performance.now());
  });
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  const times: number[] = [];
  for (let at = 0; at < EVENTS; at++) {
    const draft: RecordDraft = { kind: "manifest.patched", data: { patch: {}, patch_digest: DIGEST, reason: `${at}` } };
    const [record] = await acquired.writer.commit([draft]);
    const durableAt = performance.now();
    // Not in step with the looks at the journal.
    await Bun.sleep(150 + ((at * 37) % 100));
    const seenAt = seen.get(record?.seq ?? 0);
    times.push(seenAt === undefined ? Infinity : Math.max(0, seenAt - durableAt));
  }
  await acquired.writer.release();
  socket.destroy();
  return times;
}

const DIGEST = `sha256:${"0".repeat(64)}` as const;

/** Bytes that stand in memory. */
function memoryOf(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
