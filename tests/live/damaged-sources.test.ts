// Tests of a stored source that is gone or altered for a while: it causes no verdict, and the run goes on once it is back.
import { expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { RunError } from "../../src/kernel/errors.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { LiveRun } from "./live-run.ts";

setDefaultTimeout(600_000);

type Damage = (sources: string) => void;

const FLIPPED = {
  damage: changing((bytes) => {
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    return bytes;
  }),
  code: "INTEGRITY_ERROR",
};
const DAMAGES: Record<string, { damage: Damage; code: string }> = {
  "its folder is gone": { damage: (sources) => fs.rmSync(sources, { recursive: true }), code: "MISSING_ARTIFACT" },
  "a byte is flipped": FLIPPED,
  "it is too short": { damage: changing((bytes) => bytes.subarray(0, -1)), code: "INTEGRITY_ERROR" },
};

function changing(change: (bytes: Buffer) => Uint8Array): Damage {
  return (sources) => {
    for (const name of fs.readdirSync(sources))
      if (name.endsWith(".txt")) fs.writeFileSync(join(sources, name), change(fs.readFileSync(join(sources, name))));
  };
}

const DRIVERS: Record<string, Partial<InitOptions>> = {
  local: { driver: "local" },
  live: { driver: "live" },
};

/** The sources of a run, and a copy of them that puts them back. */
class Sources {
  readonly #folder: string;
  readonly #copy: string;

  constructor({ folder, runRoot }: LiveRun) {
    this.#folder = join(runRoot, "sources");
    this.#copy = join(folder, "copy");
  }

  damage(damage: Damage): void {
    fs.cpSync(this.#folder, this.#copy, { recursive: true });
    damage(this.#folder);
  }

  putBack(): void {
    fs.cpSync(this.#copy, this.#folder, { recursive: true });
  }
}

async function codeOf(work: Promise<{ error: { code: string } | null }>): Promise<string> {
  return await work.then(
    ({ error }) => error?.code ?? "ok",
    (thrown: unknown) => (thrown instanceof RunError ? thrown.code : String(thrown)),
  );
}

/** Works, and damages the sources the moment that such a record is durable. */
async function workUntilDamaged(
  live: LiveRun,
  { damage }: { damage: Damage },
  isIt: (record: AnyRecord) => boolean,
): Promise<{ sources: Sources; code: string }> {
  const sources = new Sources(live);
  let isDamaged = false;
  const onRecord: Observer["onRecord"] = (_root, record) => {
    if (isDamaged || !isIt(record)) return;
    isDamaged = true;
    sources.damage(damage);
  };
  const code = await codeOf(live.start({ onRecord }));
  expect(isDamaged).toBe(true);
  return { sources, code };
}

const entered =
  (stage: string) =>
  (record: AnyRecord): boolean =>
    record.kind === "stage.entered" && record.data.to === stage;

/** What a damaged source may not leave behind: a finished check, a verdict of gate C, a halt. */
async function verdictsOf(live: LiveRun): Promise<string[]> {
  return (await live.records()).flatMap((record) => {
    if (record.kind === "step.completed" && record.data.stage === "citations") return [record.data.key];
    if (record.kind === "gate.judged" && record.data.gate === "C") return ["gate C"];
    return record.kind === "halt.raised" ? ["halt"] : [];
  });
}

/** Whether a look names a source that is not as it was stored. */
async function toldOf(live: LiveRun): Promise<boolean> {
  return (await live.ports.store.look(live.runRoot)).problems.some(({ path }) => /^sources\/.*\.txt$/.test(path));
}

const run = (live: LiveRun) => runRun(live.ports, live.runRoot, {}, {});

for (const [driver, options] of Object.entries(DRIVERS)) {
  for (const [how, damaged] of Object.entries(DAMAGES)) {
    test(`${driver}: ${how} while quotes are checked is an error and no verdict, and the report is the same later`, async () => {
      await using whole = await LiveRun.open(options);
      expect(await codeOf(whole.start())).toBe("ok");
      await using live = await LiveRun.open(options);
      const { sources, code } = await workUntilDamaged(live, damaged, entered("citations"));
      expect([code, await codeOf(live.resume()), await codeOf(run(live)), await codeOf(live.tick())]).toEqual(
        Array(4).fill(damaged.code),
      );
      expect(await verdictsOf(live)).toEqual([]);
      expect(await toldOf(live)).toBe(true);
      sources.putBack();
      expect(await toldOf(live)).toBe(false);
      expect(await codeOf(how === "its folder is gone" ? run(live) : live.resume())).toBe("ok");
      expect(live.report()).toBe(whole.report());
    });
  }

  test(`${driver}: damage that a gate or a later step meets does not end the run`, async () => {
    await using whole = await LiveRun.open(options);
    expect(await codeOf(whole.start())).toBe("ok");
    const steps = (await whole.dataOf("step.completed")).map(({ key }) => key);
    for (const key of steps.slice(steps.findIndex((one) => one.startsWith("citations:")))) {
      await using live = await LiveRun.open(options);
      const { sources, code } = await workUntilDamaged(live, FLIPPED, (record) => {
        return record.kind === "step.completed" && record.data.key === key;
      });
      // What no step reads again is met by gate F at the end.
      expect([key, code, await codeOf(live.tick())]).toEqual([key, "INTEGRITY_ERROR", "INTEGRITY_ERROR"]);
      sources.putBack();
      expect([key, await codeOf(run(live))]).toEqual([key, "ok"]);
      expect(live.report() === whole.report()).toBe(true);
    }
  });
}
