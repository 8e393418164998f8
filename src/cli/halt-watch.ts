// Calls a program of the user's own that a run halted: once per halt, when the record is durable and the lease is free.
import { given } from "../kernel/given.ts";
import { shownText } from "../kernel/shown-text.ts";
import type { Observer } from "../ports/observer.ts";
import type { ProgramEnd } from "../ports/programs.ts";
import { haltKind, TIMEOUT_JSON_PATH, type Halt } from "../run/log/halt.ts";
import { MANIFEST_FILE } from "../run/log/layout.ts";
import type { Host } from "./host.ts";
import { tryToPrint } from "./terminal/print.ts";

/** A program that takes longer is killed with its children. */
const ON_HALT_LIMIT_S = 30;

/** The halts that this process raised. */
export class HaltWatch {
  readonly #words: readonly string[];
  readonly #halts: { runRoot: string; halt: Halt }[] = [];

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  note(runRoot: string, halt: Halt): void {
    this.#halts.push({ runRoot, halt });
  }

  /** The same observer, which also notes halts. */
  observing(observer: Observer): Observer {
    return {
      ...observer,
      onRecord: (runRoot, record) => {
        observer.onRecord?.(runRoot, record);
        if (record.kind === "halt.raised") this.note(runRoot, record.data.halt);
      },
    };
  }

  /** Runs the command once for each halt. A failure of it is noted on stderr and changes nothing else. */
  async report(host: Host, signal?: AbortSignal): Promise<void> {
    for (const { runRoot, halt } of this.#halts) {
      const ended = await host.runProgram(this.#words, {
        input: `${JSON.stringify(halt)}\n`,
        environment: environmentFor(host, runRoot, halt),
        workingFolder: host.environment["HOME"] || "/",
        limitMs: ON_HALT_LIMIT_S * 1000,
        ...(signal === undefined ? {} : { signal }),
      });
      const failure = failureOf(ended);
      if (failure === null) continue;
      tryToPrint(host, "stderr", shownText(`note: on_halt (${this.#words[0]}) for ${halt.run_id} ${failure}\n`));
    }
  }
}

function environmentFor(host: Host, runRoot: string, halt: Halt): Record<string, string> {
  const { PATH, HOME } = host.environment;
  const file = haltKind(halt) === "timeout" ? TIMEOUT_JSON_PATH : MANIFEST_FILE;
  return {
    ...given({ PATH, HOME }),
    DEEP_RESEARCH_RUN_ID: halt.run_id,
    DEEP_RESEARCH_RUN_ROOT: runRoot,
    DEEP_RESEARCH_HALT_KIND: haltKind(halt),
    DEEP_RESEARCH_HALT_PATH: `${runRoot}/${file}`,
  };
}

function failureOf(ended: ProgramEnd): string | null {
  if (ended.kind === "not_started") return `could not be started: ${ended.why}`;
  if (ended.kind === "ended" && ended.status === 0) return null;
  const [line = ""] = ended.stderr.trim().split("\n");
  const said = line === "" ? "" : `: ${line.slice(0, 200)}`;
  if (ended.kind === "ended") return `ended with ${ended.status}${said}`;
  return `was ended (${ended.why === "too long" ? `it took longer than ${ON_HALT_LIMIT_S} s` : ended.why})${said}`;
}
