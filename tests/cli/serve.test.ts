// deep-research serve on a made-up host: which port it takes, what it prints at once, and how it ends.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { runCli } from "../../src/cli/program.ts";
import { makePorts } from "../../src/wiring.ts";
import { temporaryFolder } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { FakeHost, type FakeHostOptions } from "./fake-host.ts";

/** Until something is printed, and then a signal. */
async function served(words: readonly string[], options: FakeHostOptions = {}) {
  const host = new FakeHost(["serve", "--runs-root", "/nowhere/runs", ...words], options);
  const ended = runCli(host, async () => (config) => makePorts({ ...config, indexFolder: null }));
  const over = new AbortController();
  void ended.then(() => over.abort());
  while (host.stdout === "" && !over.signal.aborted) await Bun.sleep(5);
  const printed = host.stdout;
  host.fire("SIGTERM");
  return { code: await ended, printed, stdout: host.stdout, stderr: host.stderr };
}

test("prints its URL as soon as it listens, and nothing more when a signal ends it", async () => {
  const { code, printed, stdout, stderr } = await served([]);
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:4747\/\?token=[\w-]{43}\n$/);
  expect([code, stdout, stderr]).toEqual([0, printed, ""]);
});

test("prints one object for programs, with a token of its own each time", async () => {
  const [one, other] = [await served(["--json"]), await served(["--json"])];
  const { result } = envelopeIn(one.stdout) as { result: { url: string; token: string } };
  expect(result).toMatchObject({ port: 4747, runs_root: "/nowhere/runs" });
  expect(result.url).toBe(`http://127.0.0.1:4747/?token=${result.token}`);
  expect(one.code).toBe(0);
  expect(other.stdout).not.toContain(result.token);
});

test("takes the next free port, but not in place of one that was asked for", async () => {
  const takenPorts = [4747, 4748];
  expect((await served([], { takenPorts })).printed).toStartWith("http://127.0.0.1:4749/");
  expect((await served(["--port", "4750"], { takenPorts })).printed).toStartWith("http://127.0.0.1:4750/");
  const refused = await served(["--port", "4748", "--json"], { takenPorts });
  expect(refused.code).toBe(2);
  expect(envelopeIn(refused.stdout).error).toMatchObject({ code: "INVALID_ARGS", message: "port 4748 is taken" });
});

test("opens a browser with a file that nobody else may read, since others see how a program was started", async () => {
  using folder = temporaryFolder();
  const opener = `${folder.path}/xdg-open`;
  // What it is given, and what stands there while the server works.
  const script = `#!/bin/sh
echo "$*" > ${folder.path}/argv
file=\${1#file://}
/bin/cat "$file" > ${folder.path}/html
/usr/bin/stat -c %a "$file" "\${file%/*}" > ${folder.path}/modes
`;
  writeFileSync(opener, script);
  chmodSync(opener, 0o755);
  const { code, printed, stderr } = await served(["--open"], { environment: { PATH: folder.path } });
  expect([code, stderr]).toEqual([0, ""]);
  const [argv, html, modes] = ["argv", "html", "modes"].map((name) => readFileSync(`${folder.path}/${name}`, "utf8"));
  const [, token = "no token"] = printed.trim().split("token=");
  expect(argv).toMatch(/^file:\/\/\/\S+\/open\.html\n$/);
  expect(argv).not.toContain(token);
  expect(html).toContain(`content="0; url=${printed.trim()}"`);
  expect(modes).toBe("600\n700\n");
  const file = argv?.trim().replace("file://", "") ?? "";
  expect([existsSync(file), existsSync(dirname(file))]).toEqual([false, false]);
  // A sign that has a meaning in addresses is part of the path.
  const before = process.env["TMPDIR"];
  mkdirSync(`${folder.path}/a#b`);
  try {
    process.env["TMPDIR"] = `${folder.path}/a#b`;
    await served(["--open"], { environment: { PATH: folder.path } });
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  expect(readFileSync(`${folder.path}/argv`, "utf8")).toContain("/a%23b/");
  const without = await served(["--open"], { environment: { PATH: "/nowhere" } });
  expect([without.code, without.stderr]).toEqual([0, "no browser could be opened: open the URL above in one\n"]);
});
