// A question on stdin: `-` is in its place.
import { expect, test } from "bun:test";
import { temporaryFolder, testPorts } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

const TEXT = "# Options\n\nCommand line options are parsed from left to right. An option begins with a dash.\n";

test("start, init, fork and search take their question from stdin", async () => {
  using folder = temporaryFolder();
  await Bun.write(`${folder.path}/docs/options.md`, TEXT);
  const ran = async (answer: string, ...argv: string[]) =>
    await cli([...argv, "--json"], { workingFolder: folder.path, answer });
  const where = ["--corpus", "docs", "--runs-root", "runs"];
  const questionOf = async (id: string): Promise<string> =>
    (await testPorts().store.look(`${folder.path}/runs/${id}`)).manifest.query.text;

  expect((await ran("How are options parsed?\n", "start", "-", ...where, "--run-id", "a")).code).toBe(0);
  expect(await questionOf("a")).toBe("How are options parsed?");
  expect((await ran("  How do options\n\nbegin?\n\n", "init", "-", ...where, "--run-id", "b")).code).toBe(0);
  expect((await questionOf("b")).split(/\s+/)).toEqual(["How", "do", "options", "begin?"]);
  const forked = await ran("What begins with a dash?\n", "fork", "runs/a", "--question", "-", "--run-id", "c");
  expect([forked.code, await questionOf("c")]).toEqual([0, "What begins with a dash?"]);
  const searched = envelopeIn((await ran("dash\n", "search", "-", "--corpus", "docs")).stdout);
  expect(JSON.stringify(searched.result)).toContain("begins with a dash");
});

test("nothing on stdin is no question, and too much is too long", async () => {
  using folder = temporaryFolder();
  await Bun.write(`${folder.path}/docs/options.md`, TEXT);
  const codeFor = async (answer: string): Promise<unknown> => {
    const argv = ["init", "-", "--corpus", "docs", "--runs-root", "runs", "--json"];
    return envelopeIn((await cli(argv, { workingFolder: folder.path, answer })).stdout).error?.code;
  };
  expect(await codeFor("\n \n")).toBe("INVALID_ARGS");
  expect(await codeFor("why ".repeat(5_000))).toBe("INPUT_TOO_LARGE");
});
