// deep-research capture
import { shownLine } from "../../kernel/shown-text.ts";
import { captureRun } from "../../operations/report/capture-run.ts";
import { runCommand } from "../command.ts";
import { needed, text } from "../../kernel/field.ts";
import { pairs } from "../terminal/layout.ts";
import { count } from "../../surface/words.ts";

export const command = runCommand({
  description:
    "Records the results of a completed run, to be replayed without its documents, models and keys. Of several report versions, the replay makes the one that completed the run.",
  seeAlso: ["start", "verify", "report export"],
  fields: {
    output: needed(
      text("DIR", "the folder to write to; it is made where it is not there"),
      "say where to write: --output DIR",
    ),
  },
  examples: [
    ["capture dr_2026 --output ./bundle", "then: deep-research start --bundle ./bundle"],
    ["capture --output ./tests/bundles/options", "the newest run, to test without documents and models"],
  ],
  notes: [
    "What it writes\n  The results of the steps, and the sources that they name; no conversation, key or path. start --bundle comes to the same report, digest for digest.",
  ],
  exits: [
    [0, "written, or this very bundle was there already"],
    [1, "the run is not completed, or the bundle was not written"],
    [2, "bad usage, or another bundle is there"],
    [10, "no such run"],
    [12, "what the bundle would hold is missing or was altered"],
  ],
  async run({ ports, locate, absolute }, input) {
    const { output } = input;
    const outcome = await captureRun(ports, await locate(input.run), absolute(output));
    const { digest, report_digest, steps, sources, written, mended_sources, output: folder } = outcome.result;
    return {
      outcome,
      text: (style) =>
        `${style.bold("bundle")}  ${written ? "written" : "is there already"}${mended_sources === 0 ? "" : `; ${count(mended_sources, "source was", "sources were")} missing or altered and ${mended_sources === 1 ? "is" : "are"} whole again`}\n${pairs(
          [
            ["folder", shownLine(folder)],
            ["holds", `${count(steps, "result")}, ${count(sources, "source")}`],
            ["digest", digest],
            ["report", report_digest],
          ],
          style.width,
        )}`,
    };
  },
});
