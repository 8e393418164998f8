// An agent outside that answers each prompt well, by what stands in the prompt alone.
import { firstSentence, RESULTS, revises, type SeenTask } from "../live/well-behaved.ts";

/** What a prompt asks for. `task`: the text of its task, without a fence. */
export interface ReadPrompt {
  who: SeenTask["who"] | "changes";
  task: string;
}

export function readPrompt(prompt: string): ReadPrompt {
  const [, role = ""] = /^# Prompt for the (\w+)$/m.exec(prompt) ?? [];
  const section = (heading: string): string => {
    const [, rest = ""] = prompt.split(`\n## ${heading}\n`);
    return (rest.split("\n## ")[0] ?? "").trim();
  };
  const shown = section("The task");
  const task = shown.startsWith("```") ? shown.split("\n").slice(1, -1).join("\n") : shown;
  const form = section("The form of the answer");
  return { who: whoOf(role, task, form), task };
}

function whoOf(role: string, task: string, form: string): ReadPrompt["who"] {
  switch (role) {
    case "planner":
      return task.includes('"most_gaps"') ? "pivot" : "plan";
    case "researcher":
      return "research";
    case "verifier":
      return "verify";
    case "reviewer":
      return "review";
    default:
      if (form.includes('"changes"')) return "changes";
      if (form.includes('"sections"')) return "outline";
      return task.includes('"section"') ? "section" : task.includes('"page"') ? "answer" : "draft";
  }
}

/** `documents`: those of the corpus, by their names in it. */
export function answerWell(prompt: string, documents: ReadonlyMap<string, string>, corpus = "corpus"): string {
  const { who, task } = readPrompt(prompt);
  const seen = { who: "draft", messages: [], user: task, tools: [] } as SeenTask;
  if (who === "research") return JSON.stringify(researched(task, documents, corpus));
  if (who === "changes") return JSON.stringify(revises(seen).arguments);
  const answer = RESULTS[who](seen) as { page?: string };
  return answer.page ?? JSON.stringify(answer);
}

const MOST_QUOTED = 2;

/** The first sentence of some documents, for all parts that are looked for. */
function researched(task: string, documents: ReadonlyMap<string, string>, corpus: string) {
  const [, rest = ""] = task.split("The parts of the question that you look for:\n");
  const part_ids = (rest.split("\n\n")[0] ?? "").split("\n").map((line) => line.replace(/^- ([^:]+):.*$/, "$1"));
  const quotes = [...documents].slice(0, MOST_QUOTED).map(([name, text]) => {
    const sentence = firstSentence(text);
    return { document: `${corpus}/${name}`, text: sentence, statement: `It is written there: ${sentence}`, part_ids };
  });
  return { quotes, gaps: [{ text: "what it costs", reason: "no document names a price" }], notes: [] };
}
