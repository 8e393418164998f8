// The commands about reports as people and programs read them.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { makeCompletedRun, temporaryFolder, testPorts, type TemporaryFolder } from "../operations/made-run.ts";
import { runOfTwo } from "../operations/run-of-two.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

/** A completed run `mine`, by the options that name it. */
async function oneRun(): Promise<TemporaryFolder & { run: string[] }> {
  const folder = temporaryFolder();
  await makeCompletedRun(testPorts(), folder.path, "mine");
  return Object.assign(folder, { run: ["mine", "--runs-root", folder.path] });
}

describe("report export", () => {
  test("takes the form from the option, else from the ending of the file", async () => {
    using folder = await oneRun();
    for (const [name, format, start] of [
      ["a.html", "html", "<!doctype html>"],
      ["a.HTM", "html", "<!doctype html>"],
      ["a.json", "json", "{"],
      ["a.md", "md", "# "],
      ["a.docx", "docx", "PK"],
      ["a.bib", "bibtex", "@misc{"],
    ] as const) {
      const path = `${folder.path}/${name}`;
      const { code, stdout } = await cli(["report", "export", ...folder.run, "--output", path]);
      expect([code, stdout.split("\n")[0]]).toEqual([0, `report version 1, ${format}`]);
      expect(fs.readFileSync(path, "utf8")).toStartWith(start);
    }
    const asked = await cli([
      "report",
      "export",
      ...folder.run,
      "--format",
      "json",
      "--output",
      `${folder.path}/b.md`,
      "--json",
    ]);
    expect(envelopeIn(asked.stdout)).toMatchObject({ ok: true, result: { format: "json", version_index: 1 } });
  });

  test("shows the timeline in html when it is asked for, and refuses it in any other form", async () => {
    using folder = await oneRun();
    const exported = (name: string) =>
      cli(["report", "export", ...folder.run, "--timeline", "--output", `${folder.path}/${name}`]);
    expect((await exported("a.html")).code).toBe(0);
    expect(fs.readFileSync(`${folder.path}/a.html`, "utf8")).toContain('class="timeline"');
    const refused = await exported("a.md");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("only the html form has pictures")]);
  });

  test("prints the bytes on -, cleaned for a terminal only", async () => {
    using folder = await oneRun();
    const line = ["report", "export", ...folder.run, "--output", "-"];
    const published = fs.readFileSync(`${folder.path}/mine/reports/1/report.json`, "utf8");
    expect((await cli([...line, "--format", "json"])).stdout).toBe(published);
    expect((await cli(line)).stdout).toStartWith("# ");
    expect((await cli(line, { terminals: ["stdout"] })).stdout).toStartWith("# ");
  });

  test("refuses what cannot be meant, and says what to do about a file that is there", async () => {
    using folder = await oneRun();
    const line = ["report", "export", ...folder.run];
    const both = await cli([...line, "--output", "-", "--json"]);
    expect([both.code, envelopeIn(both.stdout).error?.code]).toEqual([2, "INVALID_ARGS"]);
    expect((await cli(line)).code).toBe(2);
    expect((await cli([...line, "--output", "x", "--format", "pdf"])).code).toBe(2);
    expect((await cli([...line, "--output", "-", "--format", "docx"])).code).toBe(2);
    const place = `${folder.path}/a.md`;
    expect((await cli([...line, "--output", `${place}/`])).code).toBe(2);
    expect((await cli([...line, "--output", place])).code).toBe(0);
    const again = await cli([...line, "--output", place]);
    expect([again.code, again.stderr.includes("--force")]).toEqual([2, true]);
    expect((await cli([...line, "--output", place, "--force"])).code).toBe(0);
  });
});

test("report export never writes one form under the ending of another", async () => {
  using folder = await oneRun();
  const line = ["report", "export", ...folder.run];
  for (const name of ["a.pdf", "a.txt", "a"]) {
    const path = `${folder.path}/${name}`;
    const { code, stderr } = await cli([...line, "--output", path]);
    expect([code, stderr.includes(".md, .html, .docx, .json, .bib")]).toEqual([2, true]);
    expect(fs.existsSync(path)).toBe(false);
    expect((await cli([...line, "--output", path, "--format", "md"])).code).toBe(0);
    expect(fs.readFileSync(path, "utf8")).toStartWith("# ");
  }
});

test("report select, list and diff agree on the versions", async () => {
  using folder = temporaryFolder();
  await runOfTwo(testPorts(), folder.path, "two");
  const runs = ["two", "--runs-root", folder.path];
  expect((await cli(["report", "list", ...runs])).stdout).toContain("\n2 *  ");
  const selected = await cli(["report", "select", ...runs, "--version", "1"]);
  expect([selected.code, selected.stdout.split(":")[0]]).toEqual([0, "report version 1 is now the current one"]);
  const again = await cli(["report", "select", ...runs, "--version", "1", "--json"]);
  expect([again.code, envelopeIn(again.stdout).result]).toMatchObject([0, { already: "already_selected" }]);
  expect((await cli(["report", "list", ...runs])).stdout).toStartWith("1 *  ");
  expect((await cli(["report", "show", ...runs])).stdout).not.toContain("operand never");
  expect((await cli(["report", "select", ...runs])).code).toBe(2);
  const diff = await cli(["report", "diff", ...runs]);
  expect(diff.code).toBe(0);
  expect(diff.stdout).toBe(
    [
      "report version 1 -> 2: other evidence",
      "statements",
      "  + An operand never begins with a dash.",
      "  ~ supported -> contradicted: Options begin with a dash.",
      "sources",
      "  + docs/operands.md (docs/operands.md)",
      "gaps",
      "  - who asks",
      "",
    ].join("\n"),
  );
  expect((await cli(["report", "diff", ...runs, "--from", "1", "--to", "1"])).stdout).toContain("nothing differs");
});

describe("report show", () => {
  test("prints the published bytes where no terminal is", async () => {
    using folder = await oneRun();
    const published = fs.readFileSync(`${folder.path}/mine/reports/1/report.md`, "utf8");
    expect((await cli(["report", "show", ...folder.run])).stdout).toBe(published);
  });

  test("renders on a terminal, and says which version it is", async () => {
    using folder = await oneRun();
    const line = ["report", "show", ...folder.run];
    const { code, stdout } = await cli(line, { terminals: ["stdout"] });
    expect(code).toBe(0);
    expect(Bun.stripANSI(stdout)).toStartWith("mine, report version 1 of 1, the current one\n\n");
    expect(stdout).not.toMatch(/^#/m);
    expect(stdout).toMatch(/\u001b\[1m.*Sources/);
    const plain = await cli(line, { terminals: ["stdout"], environment: { NO_COLOR: "1" } });
    expect(plain.stdout).not.toContain("\u001b");
    expect(plain.stdout).toContain("Sources\n");
  });
});
