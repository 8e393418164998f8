// A deadly signal ends what the tool started, also a server that ignores a closed terminal and the end of its input.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { Host } from "./real-processes.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** A zombie is dead, whoever has still to collect it. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, "utf8"));
}

/** Whether the server outlives the signal, and how the tool ended. */
async function signalled(name: NodeJS.Signals, before: string[] = []): Promise<{ survives: boolean; exit: unknown }> {
  using host = new Host();
  const [script, pidFile] = [join(host.folder, "server.sh"), join(host.folder, "pid")];
  writeFileSync(script, `#!/bin/sh\ntrap '' HUP PIPE\necho $$ > ${pidFile}\nwhile :; do sleep 0.2; done\n`);
  chmodSync(script, 0o755);
  mkdirSync(join(host.folder, "config/deep-research"), { recursive: true });
  const server = { name: "st", kind: "stdio", command: script, search_tool: "search" };
  const config = join(host.folder, "config/deep-research/config.json");
  writeFileSync(config, JSON.stringify({ providers: { mcp: { servers: [server] } } }));
  const argv = [process.execPath, MAIN, "start", "How?", "--provider", "mcp", "--runs-root", host.runsRoot];
  const child = Bun.spawn([...before, ...argv], {
    env: { ...process.env, XDG_CONFIG_HOME: join(host.folder, "config"), XDG_CACHE_HOME: join(host.folder, "cache") },
    stdout: "ignore",
    stderr: "ignore",
  });
  while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await Bun.sleep(20);
  const pid = Number(readFileSync(pidFile, "utf8"));
  child.kill(name);
  const exit = await Promise.race([child.exited.then(() => child.exitCode), Bun.sleep(1500).then(() => "goes on")]);
  await Bun.sleep(100);
  const survives = isAlive(pid);
  child.kill("SIGKILL");
  if (survives) process.kill(-pid, "SIGKILL");
  return { survives, exit };
}

for (const name of ["SIGHUP", "SIGQUIT", "SIGUSR1", "SIGABRT"] as const)
  test(`${name} ends a server that ignores it`, async () => {
    expect(await signalled(name)).toEqual({ survives: false, exit: 128 + constants.signals[name] });
  }, 20_000);

test("under nohup a closed terminal ends nothing", async () => {
  expect((await signalled("SIGHUP", ["nohup"])).exit).toBe("goes on");
}, 20_000);

test("control: a signal that cannot be caught leaves such a server alive", async () => {
  expect((await signalled("SIGKILL")).survives).toBe(true);
}, 20_000);
