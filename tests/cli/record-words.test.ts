import { expect, test } from "bun:test";
import { changeText } from "../../src/surface/words.ts";

test("the end of a run needs no reason, any other change says its own", () => {
  expect(changeText({ from: "running", to: "completed", reason: "natural_stop" })).toBe("running -> completed");
  expect(changeText({ from: "idle", to: "running", reason: "start" })).toBe("idle -> running: start");
});
