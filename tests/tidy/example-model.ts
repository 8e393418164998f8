// The replies of a capable model in a live run over the notes on two queues: its plan, its quotes and its page, as a script.
// The replies were written by hand for these documents; ids are taken from each request.
import { asksFor, type Answer, type ScriptedCall, type SeenRequest } from "../models/answers.ts";
import { citationsOf, judgedOf, named, resultsOf, submits, taskOf, type SeenTask } from "../live/well-behaved.ts";

const PLAN = {
  parts: [
    { id: "choice", text: "which of the two queues to choose" },
    { id: "against", text: "what speaks against it" },
  ],
  perspectives: [
    {
      id: "figures",
      title: "Speed and safety of both candidates",
      kind: "facet",
      questions: ["How many jobs does each handle, and how many are needed?", "Does either lose jobs?"],
      queries: ["jobs per second", "worker is killed"],
      part_ids: ["choice"],
    },
    {
      id: "doubts",
      title: "Cost and limits of the table queue",
      kind: "contrarian",
      questions: ["What does the table queue need?", "Who disagrees, and when would the choice change?"],
      queries: ["table queue limits", "decision disagrees"],
      part_ids: ["against", "choice"],
    },
  ],
};

/** What each researcher looks for, records and says of it. */
const RESEARCH: Record<string, { queries: string[]; quotes: [text: string, statement: string][]; notes: string[] }> = {
  "Speed and safety of both candidates": {
    queries: ["jobs per second", "worker is killed", "busiest hour", "disk writes broker"],
    quotes: [
      [
        "The table queue handled 1,800 jobs per second with ten workers.",
        "The table queue handled 1,800 jobs per second with ten workers.",
      ],
      [
        "The broker handled 6,200 jobs per second with ten workers on the same staging machine.\nThe number is lower than in March because messages were written to disk before they were acknowledged.",
        "With messages written to disk the broker handled 6,200 jobs per second.",
      ],
      [
        "The table queue does not lose jobs when a worker is killed: the lock ends and the next worker takes the job.",
        "The table queue loses no job when a worker is killed.",
      ],
      [
        "Jobs are lost when the broker is killed and messages are not written to disk.\nWith disk writes switched on, no job was lost in forty kills.",
        "The broker loses jobs when it is killed, unless messages are written to disk.",
      ],
      [
        "Ada expects that the busiest hour of this year needs 300 jobs per second.",
        "Ada expects 300 jobs per second in this year's busiest hour.",
      ],
    ],
    notes: [],
  },
  "Cost and limits of the table queue": {
    queries: ["table queue limits", "decision disagrees", "second server", "broker costs per month"],
    quotes: [
      [
        "The table queue needs no further server, because the database is there already.",
        "The table queue needs no further server.",
      ],
      [
        "The broker needs a second server and a person who knows how to repair it.",
        "The broker needs a second server and a person who can repair it.",
      ],
      [
        "Old jobs have to be deleted every night, otherwise the table grows and the queue becomes slow.",
        "The table queue becomes slow unless old jobs are deleted every night.",
      ],
      [
        "More than thirty workers disturb the other queries of the database.",
        "More than thirty workers of the table queue disturb the other queries of the database.",
      ],
      [
        "Tom disagrees: in his opinion the table queue will be too slow when the shop opens in two more countries.",
        "Tom expects the table queue to be too slow once the shop opens in two more countries.",
      ],
      [
        "We look at the numbers again when the busiest hour passes 600 jobs per second.",
        "The team looks at the numbers again when the busiest hour passes 600 jobs per second.",
      ],
    ],
    notes: ["Nobody has estimated what the broker costs per month."],
  },
};

/** `{...}` stands for the id of the quote that holds these words. */
const PAGE = `# Table queue or broker

## Answer

Choose the table queue for this year. [from {1,800}, {300 jobs}, {no further server}] It handled 1,800 jobs per second with ten workers, [{1,800}] and Ada expects 300 in this year's busiest hour. [{300 jobs}] That leaves room for six times the expected load. [= 1800 / 300; from {1,800}, {300 jobs}] Plan the nightly deletion of old jobs from the first day. [from {every night}]

## How the two compare

| | Table queue | Broker |
| --- | --- | --- |
| Jobs per second, ten workers | 1,800 [{1,800}] | 6,200 with messages written to disk [{6,200}] |
| When it is killed | no job is lost when a worker is killed [{lock ends}] | jobs are lost unless messages are written to disk [{forty kills}] |
| What it needs | no further server [{no further server}] | a second server and a person who can repair it [{second server}] |

## What speaks against the table queue

- **Care.** Without a nightly deletion its table grows and it becomes slow. [{every night}]
- **Neighbours.** More than thirty workers disturb the other queries of the database. [{thirty workers}]
- **Growth.** Tom expects it to be too slow once the shop opens in two more countries. [{two more countries}] The team looks at the numbers again when the busiest hour passes 600 jobs per second. [{600 jobs}] The measured 1,800 are three times that. [= 1800 / 600; from {1,800}, {600 jobs}]
`;

export function exampleModel(request: Pick<SeenRequest, "body">): Answer {
  const task = taskOf(request);
  return asksFor(named(task, task.who === "research" ? researchCalls(task) : [submits(handedIn(task))]));
}

function researchCalls(task: SeenTask): ScriptedCall[] {
  const angle = Object.keys(RESEARCH).find((title) => task.user.includes(`Your angle: ${title}\n`)) ?? "";
  const { queries = [], quotes = [], notes = [] } = RESEARCH[angle] ?? {};
  const found = resultsOf<{ document: string; document_text?: string }[]>(task, "found").flat();
  if (found.length === 0) return queries.map((query) => ({ name: "search", arguments: { query } }));
  if (resultsOf<unknown>(task, "recorded").length > 0) return [submits({ notes })];
  return quotes.map(([text, statement]) => {
    const [line = text] = text.split("\n");
    const document = found.find(({ document_text }) => document_text?.includes(line) === true)?.document ?? "";
    return { name: "quote", arguments: { document, text, statement, part_ids: partsOf(text) } };
  });
}

/** What the second researcher records speaks against the table queue, except for what the broker needs. */
function partsOf(text: string): string[] {
  const { quotes = [] } = RESEARCH["Cost and limits of the table queue"] ?? {};
  return quotes.some(([own]) => own === text) && !text.includes("server") ? ["against"] : ["choice"];
}

function handedIn(task: SeenTask): unknown {
  switch (task.who) {
    case "plan":
      return PLAN;
    case "draft":
      return { page: PAGE.replace(/\{([^}]+)\}/g, (_mark, words: string) => citationWith(task, words)) };
    case "verify":
      return {
        verdicts: judgedOf(task.user, partsOf).map((one) => ({
          ...one,
          why: "the quotes say so",
          verdict: "supported",
        })),
      };
    case "review":
      return { decision: "accept", directives: [] };
    default:
      throw new Error(`the example has no reply to ${task.who}`);
  }
}

function citationWith(task: SeenTask, words: string): string {
  const found = citationsOf(task).find(({ document_text }) => document_text.includes(words));
  if (found === undefined) throw new Error(`no quote of the example holds: ${words}`);
  return found.citation_id;
}
