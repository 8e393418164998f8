// Bundles that are not what they were, or lead elsewhere: each is refused with the reason, and no run is begun.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "../../src/kernel/errors.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { BUNDLES } from "../fixtures/recorded-runs.ts";
import { temporaryFolder } from "./made-run.ts";
import { bundleIn, copyOf, forge, portsOfNothing, replayOptions } from "./replayed.ts";

const nothing = portsOfNothing();

/** The error that a replay of the bundle is refused with; `ok` where it is not. */
async function refusal(change: (folder: string) => void, given: Partial<InitOptions> = {}): Promise<RunError | "ok"> {
  using folder = temporaryFolder();
  const bundle = copyOf("local", folder.path);
  change(bundle);
  const runsRoot = join(folder.path, "runs");
  try {
    await initRun(nothing, replayOptions(bundle, runsRoot, given), {});
    return "ok";
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    expect(existsSync(runsRoot)).toBe(false);
    return error;
  }
}

async function codeOf(...asked: Parameters<typeof refusal>): Promise<string> {
  const error = await refusal(...asked);
  return error === "ok" ? error : error.code;
}

const FILES = ["bundle.json", ...readdirSync(join(BUNDLES, "local/sources")).map((name) => `sources/${name}`)];

test("control: one that nobody touched is taken", async () => {
  expect(FILES).toHaveLength(5);
  expect(await refusal(() => {})).toBe("ok");
});

describe.each(FILES)("%s", (file) => {
  test("with one other byte is refused, wherever it is", async () => {
    const { length } = readFileSync(join(BUNDLES, "local", file));
    for (const at of [0, Math.floor(length / 3), Math.floor(length / 2), length - 2]) {
      const error = await refusal((folder) => {
        const bytes = readFileSync(join(folder, file));
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        writeFileSync(join(folder, file), bytes);
      });
      const code = error === "ok" ? error : error.code;
      // A byte of bundle.json may also be one of its form.
      if (file === "bundle.json") expect(["INTEGRITY_ERROR", "SCHEMA_VALIDATION_FAILED"]).toContain(code);
      else expect(error).toMatchObject({ code: "INTEGRITY_ERROR", facts: { files: [{ path: file }] } });
    }
  });

  test("cut short, or gone, is refused", async () => {
    const cut = await codeOf((folder) =>
      writeFileSync(join(folder, file), readFileSync(join(folder, file)).subarray(0, -5)),
    );
    expect(cut).toBe(file === "bundle.json" ? "SCHEMA_VALIDATION_FAILED" : "INTEGRITY_ERROR");
    const gone = await codeOf((folder) => rmSync(join(folder, file)));
    expect(gone).toBe(file === "bundle.json" ? "INVALID_ARGS" : "MISSING_ARTIFACT");
  });
});

test("a newer bundle is refused as such, with what it asks for", async () => {
  const error = await refusal((folder) =>
    forge(folder, (rest) => ({ ...rest, schema_version: "bundle.v3", steps: [] })),
  );
  expect(error).toMatchObject({ code: "SCHEMA_UNSUPPORTED" });
  expect(String((error as RunError).facts["reason"])).toContain("bundle.v3");
});

test("fields of a later minor version are kept and verified, not read", async () => {
  expect(await codeOf((folder) => forge(folder, (rest) => ({ ...rest, mood: "good" })))).toBe("ok");
});

test("a bundle that lacks a source that its results name is refused", async () => {
  const error = await refusal((folder) => forge(folder, (rest) => ({ ...rest, sources: rest.sources.slice(1) })));
  expect(error).toMatchObject({ code: "INTEGRITY_ERROR", facts: { files: [{ found: "not among its sources" }] } });
});

describe("a bundle that was made to lead elsewhere", () => {
  const first = bundleIn(join(BUNDLES, "local")).sources[0];

  test.each<[string, Record<string, unknown>]>([
    ["a source by a path", { source_digest: "sha256:../../../etc/passwd" }],
    ["a text by a path", { text_digest: "../bundle.json" }],
  ])("names no file but by its digest: %s", async (_what, names) => {
    const code = await codeOf((folder) => forge(folder, (rest) => ({ ...rest, sources: [{ ...first, ...names }] })));
    expect(code).toBe("SCHEMA_VALIDATION_FAILED");
  });

  test.each(["../wave1:overview", "__proto__", "constructor/prototype", "", "A", "a".repeat(121)])(
    "has no step %p",
    async (key) => {
      const steps = `{${JSON.stringify(key)}:{"polluted":true}}`;
      const code = await codeOf((folder) =>
        forge(folder, (rest) => ({ ...rest, steps: { ...rest.steps, ...(JSON.parse(steps) as object) } })),
      );
      expect(code).toBe(key === "__proto__" ? "ok" : "SCHEMA_VALIDATION_FAILED");
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  test("has a step of that name in its bytes alone, and it stays a name", async () => {
    const code = await codeOf((folder) => {
      const text = readFileSync(join(folder, "bundle.json"), "utf8");
      writeFileSync(join(folder, "bundle.json"), text.replace('"steps":{', '"steps":{"__proto__":{"polluted":true},'));
    });
    expect(["INTEGRITY_ERROR", "SCHEMA_VALIDATION_FAILED"]).toContain(code);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("with a link in place of a source gives only what the digest names", async () => {
    const [, source = ""] = FILES;
    const link = (folder: string, to: string): void => {
      rmSync(join(folder, source));
      symlinkSync(to, join(folder, source));
    };
    expect(await codeOf((folder) => link(folder, "/etc/passwd"))).toBe("INTEGRITY_ERROR");
    expect(await codeOf((folder) => link(folder, "/dev/zero"))).toBe("INTEGRITY_ERROR");
    expect(await codeOf((folder) => link(folder, join(BUNDLES, "local", source)))).toBe("ok");
  });
});

describe("a replay", () => {
  test.each<[string, Partial<InitOptions>]>([
    ["question", { question: "What is a lease?" }],
    ["mode", { mode: "deep" }],
    ["max_rounds", { limits: { max_rounds: 1 } }],
  ])("of another %s is refused", async (name, given) => {
    expect(await refusal(() => {}, given)).toMatchObject({ code: "INVALID_ARGS", facts: { differs_in: [name] } });
  });

  test("may be given what its bundle has", async () => {
    const { question, scope } = bundleIn(join(BUNDLES, "local"));
    expect(await codeOf(() => {}, { question, mode: scope.mode, limits: scope.limits })).toBe("ok");
  });

  test.each<[string, Partial<InitOptions>]>([
    ["--corpus", { corpora: ["/docs"] }],
    ["--provider", { providers: ["web"] }],
    ["--model", { models: { default: { provider: "openai", name: "any" } } }],
    ["--max-calls", { budgets: { max_calls: 1 } }],
    ["--bundle", { driver: "local", corpora: ["/docs"] }],
  ])("has no %s", async (option, given) => {
    expect(await refusal(() => {}, given)).toMatchObject({ code: "INVALID_ARGS", facts: { option } });
  });
});
