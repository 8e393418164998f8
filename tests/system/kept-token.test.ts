// The file of the console's token: who may have written it, what is never followed, and two that keep one at once.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { RunError } from "../../src/kernel/errors.ts";
import { keptToken } from "../../src/system/kept-token.ts";
import { temporaryFolder } from "../operations/made-run.ts";

const [OLD, FRESH] = ["o".repeat(43), "f".repeat(43)];

function place() {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, "state", "console");
  const file = join(folder, ".t");
  return {
    ...temporary,
    above: temporary.path,
    folder,
    file,
    keep: (isNew = false, fresh = FRESH) => keptToken({ folder, name: ".t", fresh, isNew }),
    put(text: string, mode = 0o600) {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.writeFileSync(file, text);
      fs.chmodSync(file, mode);
    },
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

function refusal(keep: () => string): unknown {
  try {
    return keep();
  } catch (error) {
    return error instanceof RunError ? error.facts["reason"] : error;
  }
}

test("is made 0600 in a folder of 0700, kept, and replaced when that is asked for", () => {
  using at = place();
  expect(at.keep()).toBe(FRESH);
  expect([at.folder, at.file].map((path) => (fs.statSync(path).mode & 0o7777).toString(8))).toEqual(["700", "600"]);
  expect(at.keep(false, OLD)).toBe(FRESH);
  expect(at.keep(true, OLD)).toBe(OLD);
  expect(at.keep()).toBe(OLD);
  expect(fs.readdirSync(at.folder)).toEqual([".t"]);
});

describe("what is not this user's alone", () => {
  test("is refused: a link, a readable file, a folder, an open folder, a link to a folder", () => {
    using at = place();
    at.put(`${OLD}\n`, 0o640);
    expect(refusal(at.keep)).toContain("other users may read or change it");
    fs.renameSync(at.file, join(at.above, "elsewhere"));
    fs.chmodSync(join(at.above, "elsewhere"), 0o600);
    fs.symlinkSync(join(at.above, "elsewhere"), at.file);
    expect(refusal(at.keep)).toContain("it is a link");
    // A new token goes where the link stands, and not where it leads.
    expect(at.keep(true)).toBe(FRESH);
    expect(fs.readFileSync(join(at.above, "elsewhere"), "utf8")).toBe(`${OLD}\n`);
    fs.rmSync(at.file);
    fs.mkdirSync(at.file);
    expect(refusal(at.keep)).toContain("it is no file");
    fs.rmdirSync(at.file);
    fs.chmodSync(at.folder, 0o770);
    expect(refusal(at.keep)).toContain("other users may read or change it");
    fs.chmodSync(at.folder, 0o700);
    fs.renameSync(at.folder, join(at.above, "moved"));
    fs.symlinkSync(join(at.above, "moved"), at.folder);
    expect(refusal(at.keep)).toContain("it is no folder");
    fs.rmSync(at.folder);
    // Nothing waits for whoever writes into a pipe.
    at.put("");
    fs.rmSync(at.file);
    expect(Bun.spawnSync(["mkfifo", "-m", "600", at.file]).exitCode).toBe(0);
    expect(refusal(at.keep)).toContain("it is no file");
  });

  test.skipIf(process.geteuid?.() !== 0)("is refused when it belongs to another user, the folder or the file", () => {
    using at = place();
    at.put(`${OLD}\n`);
    fs.chownSync(at.file, 12_345, 12_345);
    expect(refusal(at.keep)).toContain("it belongs to another user");
    fs.chownSync(at.file, 0, 0);
    fs.chownSync(at.folder, 12_345, 12_345);
    expect(refusal(at.keep)).toContain("it belongs to another user");
  });

  test("control: the same file, ours alone, is taken", () => {
    using at = place();
    at.put(`${OLD}\n`);
    expect(at.keep()).toBe(OLD);
  });
});

test("what holds no token is replaced, as a power cut may leave it", () => {
  using at = place();
  for (const left of ["", "\0".repeat(44), OLD.slice(0, 20), `${OLD}\n${OLD}\n`, "x".repeat(10_000)]) {
    at.put(left);
    expect(at.keep()).toBe(FRESH);
    expect(fs.readFileSync(at.file, "utf8")).toBe(`${FRESH}\n`);
  }
});

test("of many that keep one at once, all get the same", async () => {
  using at = place();
  const program = `import { keptToken } from ${JSON.stringify(join(import.meta.dir, "../../src/system/kept-token.ts"))};
process.stdout.write(keptToken({ folder: ${JSON.stringify(at.folder)}, name: ".t", fresh: process.argv.at(-1) ?? "", isNew: false }));`;
  const both = await Promise.all(
    ["a", "b", "c", "d"].map(async (sign) => {
      const child = Bun.spawn([process.execPath, "-e", program, sign.repeat(43)], { stdout: "pipe" });
      return await new Response(child.stdout).text();
    }),
  );
  expect(new Set(both).size).toBe(1);
  expect(both[0]).toMatch(/^(.)\1{42}$/);
  expect(fs.readdirSync(at.folder)).toEqual([".t"]);
});
