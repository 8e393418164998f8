// `report open`: the report as HTML in the cache, for this user alone, replaced at the next call, and opened where there is a display.
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { makeCompletedRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli, type Told } from "./fake-host.ts";

async function open(
  home: string,
  words: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Told> {
  const argv = ["report", "open", "--runs-root", `${home}/runs`, ...words];
  return await cli(argv, { environment: { HOME: home, PATH: home, ...environment } });
}

function opener(home: string): void {
  writeFileSync(`${home}/xdg-open`, `#!/bin/sh\necho "$*" >> ${home}/opened\n`);
  chmodSync(`${home}/xdg-open`, 0o755);
}

test("the file is private, one for all runs, and is opened", async () => {
  using folder = temporaryFolder();
  const home = folder.path;
  opener(home);
  await makeCompletedRun(testPorts(), `${home}/runs`, "dr_1");
  const { code, stdout } = await open(home, [], { DISPLAY: ":0" });
  const [, path = ""] = /^opened (\S+\/open\/report\.html)\n$/.exec(stdout) ?? [];
  expect([code, path]).toEqual([0, `${home}/.cache/deep-research/open/report.html`]);
  expect(readFileSync(path, "utf8")).toStartWith("<!doctype html>");
  expect([statSync(path).mode & 0o777, statSync(path.replace("/report.html", "")).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(readFileSync(`${home}/opened`, "utf8")).toBe(`file://${path}\n`);
  writeFileSync(path, "of the call before");
  await open(home, [], { DISPLAY: ":0" });
  expect(readFileSync(path, "utf8")).toStartWith("<!doctype html>");
  expect(readdirSync(path.replace("/report.html", ""))).toEqual(["report.html"]);
});

test("without a display, or for programs, the path is printed and nothing is opened", async () => {
  using folder = temporaryFolder();
  const home = folder.path;
  opener(home);
  await makeCompletedRun(testPorts(), `${home}/runs`, "dr_1");
  expect((await open(home)).stdout).toBe(`${home}/.cache/deep-research/open/report.html\n`);
  const { stdout } = await open(home, ["--json"], { DISPLAY: ":0" });
  expect(envelopeIn(stdout).result).toMatchObject({ format: "html", is_open: false });
  expect(existsSync(`${home}/opened`)).toBe(false);
});

test("no link is followed out of the cache", async () => {
  using folder = temporaryFolder();
  const home = folder.path;
  await makeCompletedRun(testPorts(), `${home}/runs`, "dr_1");
  mkdirSync(`${home}/.cache/deep-research`, { recursive: true });
  mkdirSync(`${home}/victim`);
  writeFileSync(`${home}/victim/report.html`, "mine");
  symlinkSync(`${home}/victim`, `${home}/.cache/deep-research/open`);
  expect((await open(home)).code).toBe(2);
  expect(readFileSync(`${home}/victim/report.html`, "utf8")).toBe("mine");
});
