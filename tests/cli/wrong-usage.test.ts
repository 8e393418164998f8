// Wrong usage is refused with exit 2, what is wrong, and what to do next; nothing is written.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { makeCompletedRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { cli } from "./fake-host.ts";

/** The words, what the error names, and what the next step says. */
const LINES: [string[], string, string][] = [
  [["start"], "no question", "start --help"],
  [["start", "what", "is", "new"], "Put it in quotes.", "start --help"],
  [["start", "How many jobs?", "docs"], "Expected 1 argument", "did you mean --corpus docs?"],
  [["start", "多少个作业？", "docs"], "Expected 1 argument", "did you mean --corpus docs?"],
  [["init", "Which port is used", "docs", "my notes"], "Expected 1 argument", "did you mean --corpus docs 'my notes'?"],
  [["search", "stale lock", "docs"], "Expected 1 argument", "did you mean --corpus docs?"],
  [["fork", "dr_1", "What else?"], "Expected 1 argument", "did you mean --question 'What else?'?"],
  [["fork", "dr_1", "docs"], "Expected 1 argument", "did you mean --corpus docs?"],
  [["resume", "dr_1", "docs"], "Expected 1 argument", "did you mean --corpus docs?"],
  [["report", "show", "dr_1", "1"], "Expected 1 argument", "did you mean --version 1?"],
  [["report", "export", "dr_1", "x.html"], "Expected 1 argument", "did you mean --output x.html?"],
  [["capture", "dr_1", "bundle"], "Expected 1 argument", "did you mean --output bundle?"],
  [["status", "dr_1", "dr_2"], "Expected 1 argument", "status --help"],
  [["start", "q", "--corpus", "docs", "--max-cost", "2"], "'--max-cost'", "did you mean --max-cost-usd?"],
  [["init", "q", "--corpus", "docs", "--min-citation=0.5"], "'--min-citation", "did you mean --min-citation-use?"],
  [["resume", "dr_1", "--max-t", "9"], "'--max-t'", "did you mean --max-ticks, --max-tokens?"],
  [
    ["start", "q", "--corpus", "https://example.org/x"],
    "is an address",
    "--provider web, with the address under providers.web.seeds",
  ],
  [["init", "q", "--corpus", "docs", "HTTP://example.org"], "is an address", "--provider web"],
  [["search", "words", "--corpus", "file:///tmp"], "is an address", "name the path alone"],
  [["resume", "dr_1", "--corpus", "https://example.org/x"], "is an address", "--provider web"],
  [["start", "q", "--corpus", "nowhere"], "/nowhere", "name a folder or a file that exists"],
  [["start", "q", "--corpus", "docs", "--mode", "huge"], "--mode", "start --help"],
  [["start", "q", "--corpus", "docs", "--max-rounds", "0"], "--max-rounds", "start --help"],
  [["start", "q", "--corpus", "docs", "--max-cost-usd", "-1"], "--max-cost-usd", "start --help"],
  [["start", "q", "--corpus", "docs", "--model", "openai"], "--model", "start --help"],
  [["start", "q", "--corpus", "docs", "--role-model", "poet=openai:x"], "--role-model", "start --help"],
  [["start", "q", "--corpus", "docs", "--driver", "fixture"], "a replay needs a bundle", "start --help"],
  [
    ["start", "q", "--corpus", "docs", "--mode", "depe"],
    '--mode "depe": use quick, standard or deep',
    "did you mean --mode deep?",
  ],
  [["start", "q", "--corpus", "docs", "--provider", "wbe"], '--provider "wbe": use ', "did you mean --provider web?"],
  [
    ["start", "q", "--corpus", "docs", "--driver", "loacl"],
    '--driver "loacl": use local, live, task or fixture',
    "did you mean --driver local?",
  ],
  [
    ["start", "q", "--corpus", "docs", "--model", "compatible:x"],
    "URL",
    "did you mean --model-base-url http://localhost",
  ],
  [
    [
      "start",
      "q",
      "--corpus",
      "docs",
      "--model",
      "compatible:x",
      "--model-base-url",
      "http://[::1]:9",
      "--max-cost-usd",
      "1",
    ],
    "what compatible:x costs is not known",
    "give its price under prices in your configuration",
  ],
  [["start", "q", "--model", "antropic:x"], "antropic", "did you mean --model anthropic:x?"],
  [["report", "export", "dr_1", "--format", "mdd"], '--format "mdd": use ', "did you mean --format md?"],
  [["completion", "bahs"], '"bahs": use bash, zsh or fish', "did you mean bash?"],
  [["start", "q", "--corpus", "docs", "--run-id", "../x"], "--run-id", "a run id begins with"],
  [["start", "q", "--corpus", "docs", "--sensitivty", "no_web"], "--sensitivty", "did you mean --sensitivity?"],
  [["start", "q", "--corpus", "docs", "--config", "none.json"], "--config", "name a file that exists"],
  [["run", "q", "--corpus", "docs"], "taken by: start, init, resume, ask, fork, search", "run --help"],
  [["tick", "--all", "dr_1"], "--all", "tick --help"],
  [["tick", "--jobs", "2"], "--jobs", "tick --help"],
  [["resume", "dr_1", "--on-drift", "maybe"], "--on-drift", "resume --help"],
  [["list", "--state", "runing"], '--state "runing": use idle', "did you mean --state running?"],
  [["list", "dr_1"], "Expected 0 arguments", "list --help"],
  [["prune"], "--older-than", "prune --help"],
  [["settle", "dr_1"], "--call", "settle --help"],
  [["settle", "dr_1", "--call", "x"], "--assume-done", "settle --help"],
  [["search", "two", "words", "--corpus", "docs"], "Put it in quotes.", "search --help"],
  [["search", "words"], "--corpus", "search --help"],
  [["report", "export", "dr_1"], "--output", "report export --help"],
  [["report", "export", "dr_1", "--output", "x.pdf"], ".md, .html, .docx, .json", "report export --help"],
  [["-q"], 'no command "-q"', "deep-research --help"],
  [["repot", "show"], '"repot"', 'did you mean "deep-research report show"?'],
  [["reprot"], '"reprot"', 'did you mean "deep-research report"?'],
  [["report", "xyzzy"], "report xyzzy", "deep-research report --help"],
  [["report", "selct"], "report selct", 'did you mean "deep-research report select"'],
  [["remove", "dr_1"], "add --yes", "deep-research remove dr_1 --yes\n"],
];

for (const [argv, named, next] of LINES) {
  test(argv.join(" "), async () => {
    using folder = temporaryFolder();
    await makeCompletedRun(testPorts(), `${folder.path}/runs`, "dr_1");
    fs.mkdirSync(`${folder.path}/docs`);
    const before = new Set(fs.readdirSync(folder.path, { recursive: true, encoding: "utf8" }));
    const environment = { DEEP_RESEARCH_RUNS_ROOT: `${folder.path}/runs` };
    const { code, stdout, stderr } = await cli(argv, { workingFolder: folder.path, environment });
    expect([code, stdout]).toEqual([2, ""]);
    const [told = "", hint = ""] = stderr.split("\nnext:");
    expect(told).toContain(named);
    expect(hint).toContain(next);
    expect(new Set(fs.readdirSync(folder.path, { recursive: true, encoding: "utf8" }))).toEqual(before);
  });
}
