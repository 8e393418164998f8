// opencode install and uninstall: where the files go, that the same again changes nothing, and that what a person changed stays.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { cli, type Told } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const FILES = [
  "agents/researcher.md",
  "agents/triage.md",
  "commands/research-status.md",
  "commands/research-triage.md",
  "commands/research.md",
  "skills/deep-research/SKILL.md",
  "tools/deep_research.ts",
];
const NOTES = "deep-research.installed.json";

let folder: string;
let host: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-opencode-"));
  host = path.join(folder, ".opencode");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const opencode = (...argv: string[]): Promise<Told> => cli(["opencode", ...argv], { workingFolder: folder });

async function fates(...argv: string[]): Promise<Record<string, string>> {
  const told = await opencode(...argv, "--json");
  expect(told.code).toBe(0);
  const { files } = envelopeIn(told.stdout).result as { files: { path: string; did: string }[] };
  return Object.fromEntries(files.map(({ path: file, did }) => [file, did]));
}

const all = (did: string): Record<string, string> => Object.fromEntries(FILES.map((file) => [file, did]));
const read = (file: string): string => fs.readFileSync(path.join(host, file), "utf8");
const write = (file: string, text: string): void => fs.writeFileSync(path.join(host, file), text);

function tree(): string[] {
  if (!fs.existsSync(host)) return [];
  const entries = fs.readdirSync(host, { recursive: true, withFileTypes: true });
  return entries.map((entry) => path.relative(host, path.join(entry.parentPath, entry.name))).sort();
}

/** As if an earlier version had written this text. */
function asWrittenBefore(file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(host, file)), { recursive: true });
  write(file, text);
  const notes = JSON.parse(read(NOTES)) as { files: Record<string, string> };
  notes.files[file] = digestOfBytes(text);
  write(NOTES, JSON.stringify(notes));
}

describe("install", () => {
  test("a dry run tells what would be done, and does nothing", async () => {
    expect(await fates("install", "--dry-run")).toEqual(all("written"));
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test("writes the files, the same again changes nothing, and the tools call this installation", async () => {
    expect(await fates("install")).toEqual(all("written"));
    expect(tree()).toEqual(expect.arrayContaining([...FILES, NOTES]));
    expect(read("tools/deep_research.ts")).toContain('\nconst INVOCATION = "deep-research";\n');
    const facts = () => FILES.map((file) => fs.statSync(path.join(host, file)).mtimeMs);
    const before = facts();
    expect(await fates("install")).toEqual(all("unchanged"));
    expect(facts()).toEqual(before);
  });

  test("a file that a person changed, or had before, stays as it is and is named", async () => {
    fs.mkdirSync(path.join(host, "agents"), { recursive: true });
    write("agents/triage.md", "mine\n");
    expect(await fates("install")).toEqual({ ...all("written"), "agents/triage.md": "kept" });
    write("commands/research.md", "my own words\n");
    const told = await opencode("install");
    expect([told.code, told.stderr]).toEqual([0, "2 files left as found; move them away to have this version's\n"]);
    expect([read("agents/triage.md"), read("commands/research.md")]).toEqual(["mine\n", "my own words\n"]);
  });

  test("what an earlier version wrote is updated, and what this one has no more is removed", async () => {
    await opencode("install");
    asWrittenBefore("agents/triage.md", "of an earlier version\n");
    expect(await fates("install")).toEqual({ ...all("unchanged"), "agents/triage.md": "updated" });
    expect(read("agents/triage.md")).toStartWith("---\n");
  });

  test("notes that name what no version wrote remove nothing", async () => {
    await opencode("install");
    asWrittenBefore("plugins/mine.ts", "");
    for (const verb of ["install", "uninstall"]) {
      expect(await fates(verb)).not.toContainKey("plugins/mine.ts");
      expect(tree()).toContain("plugins/mine.ts");
    }
  });

  test("no link is followed out of the working folder, wherever in a path it is", async () => {
    const victim = path.join(folder, "victim");
    const inVictim = (): string[] => fs.readdirSync(victim, { recursive: true, encoding: "utf8" }).sort();
    for (const link of ["", "agents", "tools", "commands/research.md", "skills/deep-research", NOTES]) {
      fs.rmSync(host, { recursive: true, force: true });
      fs.mkdirSync(path.join(victim, "empty"), { recursive: true });
      // What the link leads to is as an install would have left it.
      await opencode("install");
      fs.rmSync(victim, { recursive: true });
      fs.renameSync(path.join(host, link), victim);
      fs.symlinkSync(path.relative(path.dirname(path.join(host, link)), victim), path.join(host, link));
      const before = fs.statSync(victim).isDirectory() ? inVictim() : fs.readFileSync(victim, "utf8");
      for (const verb of ["install", "uninstall"]) {
        const { code, stdout } = await opencode(verb, "--json");
        const isRefused = link === "" || link === NOTES;
        expect([verb, link, code]).toEqual([verb, link, isRefused ? 2 : 0]);
        if (isRefused) expect(envelopeIn(stdout).error?.code).toBe("INVALID_ARGS");
        else expect(stdout).toContain('"linked"');
        expect(fs.statSync(victim).isDirectory() ? inVictim() : fs.readFileSync(victim, "utf8")).toEqual(before);
      }
      fs.rmSync(victim, { recursive: true });
    }
  });

  test("--global follows the link that the user's own configuration folder is", async () => {
    const own = path.join(folder, "dotfiles");
    fs.mkdirSync(own);
    fs.symlinkSync(own, path.join(folder, "opencode"));
    const environment = { HOME: folder, XDG_CONFIG_HOME: folder };
    const { code } = await cli(["opencode", "install", "--global"], { workingFolder: folder, environment });
    expect([code, fs.readdirSync(own).sort()]).toEqual([0, expect.arrayContaining(["agents", "tools"])]);
  });

  test("--global goes to the host's own folder, wherever the surroundings put it", async () => {
    const at = async (environment: Record<string, string>): Promise<unknown> => {
      const { stdout } = await cli(["opencode", "install", "--global", "--dry-run", "--json"], {
        workingFolder: folder,
        environment,
      });
      return (envelopeIn(stdout).result as { folder: string } | null)?.folder;
    };
    expect(await at({ HOME: "/home/a" })).toBe("/home/a/.config/opencode");
    expect(await at({ HOME: "/home/a", XDG_CONFIG_HOME: "/config" })).toBe("/config/opencode");
    expect(await at({ HOME: "/home/a", XDG_CONFIG_HOME: "relative" })).toBe("/home/a/.config/opencode");
    expect(await at({ HOME: "/home/a", XDG_CONFIG_HOME: "/config", OPENCODE_CONFIG_DIR: "/own" })).toBe("/own");
    expect(await at({ HOME: "" })).toBeUndefined();
  });

  test("notes that lead out of the folder, or cannot be read, are refused before anything is touched", async () => {
    const outside = path.join(folder, "outside.md");
    fs.writeFileSync(outside, "mine");
    fs.mkdirSync(host);
    for (const notes of [
      JSON.stringify({
        schema_version: "installed.v1",
        tool_version: "0",
        files: { "../outside.md": digestOfBytes("mine") },
      }),
      "{",
      '{"schema_version":"installed.v2","tool_version":"0","files":{}}',
    ]) {
      write(NOTES, notes);
      for (const verb of ["install", "uninstall"]) {
        const { code, stdout } = await opencode(verb, "--json");
        expect([code, envelopeIn(stdout).error?.code]).toEqual([2, "SCHEMA_VALIDATION_FAILED"]);
        expect(envelopeIn(stdout).error?.details).toMatchObject({ file: path.join(host, NOTES) });
      }
      expect(tree()).toEqual([NOTES]);
    }
    expect(fs.readFileSync(outside, "utf8")).toBe("mine");
  });
});

describe("uninstall", () => {
  test("removes what was installed and the folders that are empty then", async () => {
    await opencode("install");
    expect(await fates("uninstall", "--dry-run")).toEqual(all("removed"));
    expect(tree()).toEqual(expect.arrayContaining(FILES));
    expect(await fates("uninstall")).toEqual(all("removed"));
    expect(fs.readdirSync(folder)).toEqual([]);
    expect(await fates("uninstall")).toEqual({});
  });

  test("leaves what a person changed, and everything that is not its own", async () => {
    await opencode("install");
    write("agents/triage.md", "mine\n");
    write("agents/other.md", "another\n");
    write("package.json", "{}\n");
    expect(await fates("uninstall")).toEqual({ ...all("removed"), "agents/triage.md": "kept" });
    expect(tree()).toEqual(["agents", "agents/other.md", "agents/triage.md", "package.json"]);
  });

  test("control: where nothing was installed, the same files are somebody else's and stay", async () => {
    await opencode("install");
    fs.rmSync(path.join(host, NOTES));
    expect(await fates("uninstall")).toEqual({});
    expect(tree()).toEqual(expect.arrayContaining(FILES));
  });
});
