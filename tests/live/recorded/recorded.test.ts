// A conversation of a capable model, replayed over the wire: a change of prompts, forms or gates shows in the report.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scoreOf } from "../../bench/reports/score.ts";
import { reportV3Schema } from "../../../src/run/report/report.ts";
import { openRecordedRun, PAGE_FILE, readRecording, recordedQuestion } from "./recorded-run.ts";
import { recordedAnswer } from "./recording.ts";

const AGAIN =
  "This was not asked when the conversation was recorded: bun tests/live/recorded/record.ts FOLDER asks it.";

test("what a capable model said comes to the report that it came to", async () => {
  const recording = readRecording();
  const missing: string[] = [];
  await using run = await openRecordedRun((request) => {
    const answer = recordedAnswer(recording, request);
    if (answer !== undefined) return answer;
    missing.push(JSON.stringify(request.body).slice(-2_000));
    return { kind: "error", status: 400, type: "invalid_request_error", message: AGAIN };
  });
  const { error } = await run.start();
  expect(missing).toEqual([]);
  expect(error).toBeNull();
  const read = (name: string): string => readFileSync(join(run.runRoot, "reports/1", name), "utf8");
  expect(read("report.md")).toBe(readFileSync(PAGE_FILE, "utf8"));
  const page = reportV3Schema.parse(JSON.parse(read("report.json")));
  expect(scoreOf(page, recordedQuestion())).toMatchObject({ score: 1, wrong: 0, doubts: 0 });
});
