// Every way on that the page shows for a state: its button is pressed, and then whatever leads on, until no run needs attention.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Way } from "../../src/console/ways-on.ts";
import type { StartOwnProcess } from "../../src/surface/own-workers.ts";
import type { LivePlace } from "../cli/live-place.ts";
import { OPERATOR_STATES, Stood } from "../cli/operator-states.ts";
import { makePorts } from "../../src/wiring.ts";
import { type CalledConsole, openConsole, until } from "./called-console.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

const MOST_PRESSES = 8;

interface Shown {
  run_id: string;
  ways_on: Way[];
  needs_attention: boolean;
  is_terminal: boolean;
  condition: string;
}

/** The commands behind the routes, in this process. */
const inside =
  (place: LivePlace): StartOwnProcess =>
  async (words, input, onLine) => ({
    ended: place.runHere(words, { answer: input }).then(({ code, stdout }) => {
      for (const line of stdout.trimEnd().split("\n")) onLine(line);
      return code;
    }),
    kill: () => {},
  });

/** What the form sends that "Ask again" fills, and somebody wrote other words in. */
const asked = (place: LivePlace): object => ({
  question: "How are errors in options reported?",
  corpus: [`${place.path}/docs`],
  mode: "quick",
});

/** As a page does that is opened: it reads the events so far, and what they tell of damage is in the snapshot. */
async function open(page: CalledConsole, run: string): Promise<Shown> {
  const headers = { authorization: `Bearer ${page.token}` };
  const { body } = await page.send(`/api/runs/${run}/events?after=0&lines=1`, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"event":"damaged"') && !text.includes("\n:\n")) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  return (await page.get(`/api/runs/${run}`)).body as unknown as Shown;
}

/** A person copies it: no request changes a damaged run. */
const isMending = ({ shown }: Way): boolean => /^deep-research (?:repair|remove) /.test(shown);

/** "done", or each button with what was answered when they lead nowhere. */
async function follow(page: CalledConsole, { place }: Stood, first: Way): Promise<"done" | string[]> {
  let [way, run] = [first, "dr_live"];
  const said: string[] = [];
  const met = new Set([`${run} ${first.command}`]);
  for (let count = 1; count <= MOST_PRESSES; count++) {
    const { request, elsewhere } = way;
    if (elsewhere !== null) run = elsewhere;
    else if (request === null) return [...said, `no button: ${way.shown}`];
    else {
      const { action, body } = request;
      const answer = await (action === "ask"
        ? page.post("/api/runs", asked(place))
        : page.post(`/api/runs/${run}/${action}`, body));
      said.push(`${action} ${JSON.stringify(body)}: ${answer.status}`);
      // Behind a refusal the page shows the run anew.
      if (answer.status < 300) run = (answer.body as unknown as Shown).run_id;
    }
    const shown = await until(
      () => open(page, run),
      ({ condition }) => condition !== "working" && condition !== "held",
    );
    if (!shown.needs_attention && shown.is_terminal) return "done";
    const next = shown.ways_on.find((one) => one.request !== null || one.elsewhere !== null);
    if (next === undefined) return shown.ways_on.some(isMending) ? "done" : [...said, "no button leads on"];
    way = next;
    const sign = `${run} ${way.command}`;
    if (met.has(sign)) return [...said, `again: ${way.shown}`];
    met.add(sign);
  }
  return said;
}

for (const state of OPERATOR_STATES)
  test(`${state.name}: every button leads to where no run needs attention, and what has none can be copied`, async () => {
    await using stood = await Stood.of(state);
    const { place, whileLookedAt } = stood;
    let { whyNotWritable = null }: { whyNotWritable?: string | null } = whileLookedAt;
    const ports = makePorts({
      indexFolder: null,
      damageFolder: `${place.path}/.cache/deep-research/damage`,
      cliInvocation: "deep-research",
    });
    await using page = await openConsole({
      ports: { ...ports, whyNotWritable: (path) => whyNotWritable ?? ports.whyNotWritable(path) },
      runsRoot: `${place.path}/runs`,
      start: inside(place),
    });
    const { ways_on } = await open(page, "dr_live");
    expect(ways_on.every(({ command }) => command.startsWith("deep-research "))).toBe(true);
    expect(ways_on).not.toEqual([]);
    whyNotWritable = null;
    const ends: [string, unknown][] = [];
    for (const way of ways_on.filter(({ request, elsewhere }) => request !== null || elsewhere !== null)) {
      await stood.again();
      ends.push([way.shown, await follow(page, stood, way)]);
    }
    expect(ends).toEqual(ends.map(([shown]) => [shown, "done"]));
  });
