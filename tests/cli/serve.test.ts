// deep-research serve on a made-up host: which port it takes, what it prints at once, and how it ends.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { runCli } from "../../src/cli/program.ts";
import { makePorts } from "../../src/wiring.ts";
import { temporaryFolder } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { FakeHost, type FakeHostOptions } from "./fake-host.ts";

const state = temporaryFolder();
afterAll(() => state[Symbol.dispose]());

/** Until something is printed, and then a signal. */
async function served(words: readonly string[], options: FakeHostOptions = {}) {
  const environment = { XDG_STATE_HOME: state.path, ...options.environment };
  const host = new FakeHost(["serve", "--runs-root", "/nowhere/runs", ...words], { ...options, environment });
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
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:4747\/\?ticket=[\w-]{43}\n$/);
  expect([code, stdout, stderr]).toEqual([0, printed, ""]);
});

test("prints one object for programs: a ticket of its own each time, and the token that is kept", async () => {
  const [one, other] = [await served(["--json"]), await served(["--json"])];
  const { result } = envelopeIn(one.stdout) as { result: { url: string; token: string; token_file: string } };
  expect(result).toMatchObject({ port: 4747, runs_root: "/nowhere/runs" });
  expect(result.url).toMatch(/^http:\/\/127\.0\.0\.1:4747\/\?ticket=[\w-]{43}$/);
  expect(result.url).not.toContain(result.token);
  expect(readFileSync(result.token_file, "utf8")).toBe(`${result.token}\n`);
  expect(one.code).toBe(0);
  expect(other.stdout).not.toContain(result.url);
  expect(other.stdout).toContain(result.token);
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
  // What it is given, and what is there while the server works.
  const script = `#!/bin/sh
echo "$*" > ${folder.path}/argv
file=\${1#file://}
/bin/cat "$file" > ${folder.path}/html
/usr/bin/stat -c %a "$file" "\${file%/*}" > ${folder.path}/modes
`;
  writeFileSync(opener, script);
  chmodSync(opener, 0o755);
  const { code, printed, stderr } = await served(["--open"], { environment: { PATH: folder.path, DISPLAY: ":0" } });
  expect([code, stderr]).toEqual([0, ""]);
  const [argv, html, modes] = ["argv", "html", "modes"].map((name) => readFileSync(`${folder.path}/${name}`, "utf8"));
  const [, ticket = "no ticket"] = printed.trim().split("ticket=");
  expect(argv).toMatch(/^file:\/\/\/\S+\/open\.html\n$/);
  expect(argv).not.toContain(ticket);
  expect(html).toContain(`content="0; url=${printed.trim()}"`);
  expect(modes).toBe("600\n700\n");
  const file = argv?.trim().replace("file://", "") ?? "";
  expect([existsSync(file), existsSync(dirname(file))]).toEqual([false, false]);
  // A sign that has a meaning in addresses is part of the path.
  const before = process.env["TMPDIR"];
  mkdirSync(`${folder.path}/a#b`);
  try {
    process.env["TMPDIR"] = `${folder.path}/a#b`;
    await served(["--open"], { environment: { PATH: folder.path, DISPLAY: ":0" } });
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  expect(readFileSync(`${folder.path}/argv`, "utf8")).toContain("/a%23b/");
  const without = await served(["--open"], { environment: { PATH: "/nowhere" } });
  expect([without.code, without.stderr]).toEqual([0, "no browser could be opened: open the URL above in one\n"]);
});

describe("the token that is kept", () => {
  const kept = async (words: readonly string[] = [], options: FakeHostOptions = {}) => {
    const { stdout, stderr, code } = await served(["--json", ...words], options);
    const { result } = envelopeIn(stdout) as { result: { token: string; token_file: string | null } | null };
    return { token: result?.token, file: result?.token_file, stderr, code };
  };

  test("is one for each real runs root and mode, and --new-token replaces it", async () => {
    using folder = temporaryFolder();
    mkdirSync(`${folder.path}/runs`);
    symlinkSync(`${folder.path}/runs`, `${folder.path}/link`);
    const of = async (name: string, ...words: string[]) =>
      (await kept(["--runs-root", `${folder.path}/${name}`, ...words])).token;
    const token = await of("runs");
    expect(await of("runs")).toBe(token);
    expect(await of("link")).toBe(token);
    const apart = [await of("runs", "--read-only"), await of("other"), await of("runs", "--new-token")];
    expect(new Set([token, ...apart]).size).toBe(4);
    expect(await of("runs")).toBe(apart[2]);
    expect(await of("runs", "--read-only")).toBe(apart[0]);
  });

  test("is not kept inside a runs root, a workspace or a corpus, nor without a home; that is said", async () => {
    using folder = temporaryFolder();
    const inside = { XDG_STATE_HOME: `${folder.path}/a/state` };
    const configuration = `${folder.path}/a/deep-research.json`;
    const beside = `${folder.path}/user.json`;
    mkdirSync(`${folder.path}/a/b`, { recursive: true });
    const cases: [FakeHostOptions, ...string[]][] = [
      [{ environment: inside }, "--runs-root", `${folder.path}/a`],
      [{ environment: inside, workingFolder: `${folder.path}/a/b` }],
      [{ environment: inside }, "--config", beside],
      [{ environment: { XDG_STATE_HOME: "", HOME: "" } }],
      [{ environment: { XDG_STATE_HOME: "/dev/null/state" } }],
    ];
    writeFileSync(configuration, "{}");
    writeFileSync(beside, JSON.stringify({ corpus: [`${folder.path}/a`] }));
    for (const [options, ...words] of cases) {
      const [one, other] = [await kept(words, options), await kept(words, options)];
      expect([words, one.code, one.file]).toEqual([words, 0, null]);
      expect(one.stderr).toStartWith("the token is not kept, and pages end with this server: ");
      expect(one.token).not.toBe(other.token as string);
    }
    expect(existsSync(inside.XDG_STATE_HOME)).toBe(false);
    // Control: next to them it is.
    expect(await kept([], { environment: inside })).toMatchObject({ stderr: "", file: expect.any(String) });
  });

  test("is refused, with the way out, where others may read it", async () => {
    using folder = temporaryFolder();
    const options = { environment: { XDG_STATE_HOME: folder.path } };
    const { file, token } = await kept([], options);
    chmodSync(String(file), 0o644);
    const refused = await served(["--json"], options);
    const { error } = envelopeIn(refused.stdout);
    expect([refused.code, error?.code, error?.hint]).toEqual([
      2,
      "INVALID_ARGS",
      expect.stringContaining("serve --new-token"),
    ]);
    const replaced = await kept(["--new-token"], options);
    expect([replaced.code, replaced.token === token]).toEqual([0, false]);
    chmodSync(dirname(String(file)), 0o755);
    expect(envelopeIn((await served(["--json"], options)).stdout).error?.hint).toContain("chmod 700");
  });
});
