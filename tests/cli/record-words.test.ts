import { expect, test } from "bun:test";
import { changeText } from "../../src/cli/text/record-words.ts";

test("the end of a run needs no reason, any other change says its own", () => {
  expect(changeText({ from: "running", to: "completed", reason: "natural_stop" }, 20)).toBe("running -> completed");
  expect(changeText({ from: "idle", to: "running", reason: "start" }, 20)).toBe("idle -> running: start");
});
