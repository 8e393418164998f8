// An agent in OpenCode that does what the skill says: it begins with a task run, answers each prompt, and goes on to the report.
import { asksFor, says, type Answer } from "../models/answers.ts";
import { answerWell } from "../task/outside-agent.ts";
import type { Turn } from "./host.ts";

interface Waiting {
  key: string;
  name: string;
}

interface Told {
  command: string;
  contract: { run_root: string; execution_state: string };
  error: { code: string; details: { waiting?: Waiting[] } } | null;
  result: { waiting?: Waiting[]; report_md?: string } | null;
}

/** Knows nothing but what the tools return. */
export class TaskAgent {
  readonly #begins: Answer;
  readonly #documents: ReadonlyMap<string, string>;
  /** Codes of all errors that it was told. */
  readonly codes: string[] = [];
  #run = "";
  #waits: Waiting = { key: "", name: "" };
  #prompt = "";

  /** `begins`: its first call, which starts a run or looks at one. */
  constructor(begins: Answer, documents: ReadonlyMap<string, string>) {
    this.#begins = begins;
    this.#documents = documents;
  }

  readonly turn = ({ returned: [returned] }: Turn): Answer => {
    if (returned === undefined) return call("skill", { name: "deep-research" });
    if (returned.startsWith("# Prompt for ")) {
      const isFirst = this.#prompt === "";
      this.#prompt = returned;
      return this.#handIn(isFirst ? "{}" : answerWell(returned, this.#documents));
    }
    if (!returned.startsWith("{")) return this.#begins;
    return this.#goOn(JSON.parse(returned) as Told);
  };

  #goOn({ command, contract, error, result }: Told): Answer {
    this.#run = contract.run_root;
    if (error !== null) this.codes.push(error.code);
    if (error?.code === "AGENT_RESULT_INVALID") return this.#handIn(answerWell(this.#prompt, this.#documents));
    if (command === "report show") return says("Done, the report stands.");
    if (contract.execution_state === "completed") return call("deep_research_report", { run: this.#run, version: "" });
    const [next] = error?.details.waiting ?? result?.waiting ?? [];
    if (next === undefined) return call("deep_research_tick", { run: this.#run });
    this.#waits = next;
    return call("deep_research_prompt", { run: this.#run, step: next.key });
  }

  #handIn(result: string): Answer {
    return call("deep_research_agent_result", {
      run: this.#run,
      step: this.#waits.key,
      name: this.#waits.name,
      result,
    });
  }
}

/** Starts a run over the documents of the project. */
export function starts(question: string): Answer {
  return call("deep_research_start", { question, corpus: ["corpus"], driver: "task", mode: "quick", run_id: "" });
}

export function call(name: string, given: Record<string, unknown>): Answer {
  return asksFor([{ name, arguments: given }]);
}
