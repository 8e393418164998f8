// Every rule that reads text from outside takes linear time, whatever the text: 200 KB of any character, and four times that.
import { beforeAll, expect, test } from "bun:test";
import path from "node:path";
import { CONTROL, MAX_YARDSTICKS, RULES } from "./hostile-text.ts";
import { z } from "../../src/kernel/schema.ts";

const measuredSchema = z.object({ name: z.string(), slow: z.array(z.string()) });
const slow = new Map<string, string[]>();

beforeAll(async () => {
  // A process of its own: what other tests leave in memory has to be collected, and each rule would pay for it.
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "hostile-times.ts")], { stdout: "pipe" });
  for (const line of (await child.stdout.text()).trim().split("\n")) {
    const measured = measuredSchema.parse(JSON.parse(line));
    slow.set(measured.name, measured.slow);
  }
  expect(await child.exited).toBe(0);
}, 900_000);

for (const [name] of RULES) {
  test(`200 KB of any character take less than ${MAX_YARDSTICKS} times plain work over them, 800 KB four times that: ${name}`, () => {
    expect(slow.get(name)).toEqual([]);
  });
}

test("control: a rule that looks at the rest of a text for each of its characters is seen", () => {
  expect(slow.get(CONTROL)).toHaveLength(1);
});
