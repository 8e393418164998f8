// A deadly signal ends what the tool started, also a server that ignores a closed terminal and the end of its input.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { Host } from "./real-processes.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const STARTER = join(import.meta.dir, "starter.ts");

/** A zombie is dead, whoever has still to collect it. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, "utf8"));
}

interface Setup {
  before?: string[];
  starter?: "program" | "extractor";
  takesOver?: boolean;
  /** How long to wait for an end. */
  patienceMs?: number;
}

/** Where nothing is to end, what would end had long enough; too short a time on a busy machine hides a fault, and never makes one. */
const BRIEF_MS = 1_500;

/** Whether what was started outlives the signal, and how the tool ended. By default a command starts an MCP server. */
async function signalled(
  name: NodeJS.Signals,
  { before = [], starter, takesOver = false, patienceMs = 300_000 }: Setup = {},
): Promise<{ survives: boolean; exit: unknown }> {
  using host = new Host();
  const [script, pidFile] = [join(host.folder, "server.sh"), join(host.folder, "pid")];
  writeFileSync(script, `#!/bin/sh\ntrap '' HUP PIPE\necho $$ > ${pidFile}\nwhile :; do sleep 0.2; done\n`);
  chmodSync(script, 0o755);
  mkdirSync(join(host.folder, "config/deep-research"), { recursive: true });
  const server = { name: "st", kind: "stdio", command: script, search_tool: "search" };
  const config = join(host.folder, "config/deep-research/config.json");
  writeFileSync(config, JSON.stringify({ providers: { mcp: { servers: [server] } } }));
  const argv =
    starter === undefined
      ? [MAIN, "start", "How?", "--provider", "mcp", "--runs-root", host.runsRoot]
      : [STARTER, starter, script, ...(takesOver ? ["takes over"] : [])];
  const child = Bun.spawn([...before, process.execPath, ...argv], {
    env: { ...process.env, XDG_CONFIG_HOME: join(host.folder, "config"), XDG_CACHE_HOME: join(host.folder, "cache") },
    stdout: "ignore",
    stderr: "ignore",
  });
  while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await Bun.sleep(20);
  const pid = Number(readFileSync(pidFile, "utf8"));
  child.kill(name);
  const exit = await Promise.race([
    child.exited.then(() => child.exitCode),
    Bun.sleep(patienceMs).then(() => "goes on"),
  ]);
  // What ends, ends soon; only what stays is waited for in vain.
  for (let waits = 0; waits < patienceMs / 20 && isAlive(pid); waits++) await Bun.sleep(20);
  const survives = isAlive(pid);
  child.kill("SIGKILL");
  if (survives) process.kill(pid, "SIGKILL");
  return { survives, exit };
}

for (const name of ["SIGHUP", "SIGQUIT", "SIGUSR1", "SIGABRT"] as const)
  test(`${name} ends a server that ignores it`, async () => {
    expect(await signalled(name)).toEqual({ survives: false, exit: 128 + constants.signals[name] });
  }, 600_000);

for (const name of ["SIGINT", "SIGTERM"] as const)
  for (const starter of ["program", "extractor"] as const)
    test(`${name} ends the ${starter} of a command that does not stop in order`, async () => {
      expect(await signalled(name, { starter })).toEqual({ survives: false, exit: 128 + constants.signals[name] });
    }, 600_000);

test("SIGTERM that a command takes over does not end the process", async () => {
  expect((await signalled("SIGTERM", { starter: "program", takesOver: true, patienceMs: BRIEF_MS })).exit).toBe(
    "goes on",
  );
}, 600_000);

test("under nohup a closed terminal ends nothing", async () => {
  expect((await signalled("SIGHUP", { before: ["nohup"], patienceMs: BRIEF_MS })).exit).toBe("goes on");
}, 600_000);

test("control: a signal that cannot be caught leaves such a server alive", async () => {
  expect((await signalled("SIGKILL", { patienceMs: BRIEF_MS })).survives).toBe(true);
}, 600_000);
