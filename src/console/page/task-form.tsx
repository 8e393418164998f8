// The question of a run and its options, as fields: open for a new run, locked for one that exists.
import { useState } from "preact/hooks";
import { numberInputs } from "../form-numbers.ts" with { type: "macro" };
import { call } from "./requests.ts";
import type { Task } from "./wire.ts";

/** Locked, a run may also have another: a replay needs its bundle, which only the command line takes. */
const DRIVERS = {
  "": "as configured, else local",
  local: "local: shows passages, no model",
  live: "live: calls language models",
  task: "task: agents or people answer",
};
const MODES = { "": "as configured, else standard", quick: "quick", standard: "standard", deep: "deep" };
const PROVIDERS = { "": "as configured", filesystem: "files", web: "the web", mcp: "MCP servers" };
const NUMBERS = Object.values(numberInputs());

/** Locked, they show what a run was made with. */
export function TaskFields({ task, isLocked = false }: { task?: Task; isLocked?: boolean }) {
  return (
    <fieldset class="task" disabled={isLocked}>
      <legend class="unseen">Question and options</legend>
      <label class="wide-field">
        Question
        <textarea
          name="question"
          rows={isLocked ? 2 : 3}
          required
          maxLength={20_000}
          dir="auto"
          defaultValue={task?.question}
        />
      </label>
      <label class="wide-field">
        Documents <span class="small">whole paths of folders or files on this machine, one a line</span>
        <textarea name="corpus" rows={2} spellcheck={false} class="code" defaultValue={task?.corpus} />
      </label>
      <Choice name="driver" label="Driver" options={DRIVERS} value={task?.driver ?? ""} />
      <Choice name="mode" label="Mode" options={MODES} value={task?.mode ?? ""} />
      <details class="wide-field advanced" open={isLocked}>
        <summary>Advanced options</summary>
        <div class="fields">
          <ModelFields task={task} isLocked={isLocked} />
          <Choice name="provider" label="Evidence from" options={PROVIDERS} value={task?.provider ?? ""} />
          {NUMBERS.map(([label, attributes]) => (
            <label key={label}>
              {label}
              <input {...attributes} defaultValue={task?.[attributes.name]} />
            </label>
          ))}
        </div>
      </details>
    </fieldset>
  );
}

/** The model, and the address of a server of one's own, which lists the models that it has. */
function ModelFields({ task, isLocked }: { task: Task | undefined; isLocked: boolean }) {
  const [found, find] = useState<{ models: readonly string[]; words: string }>({ models: [], words: "" });
  const listModels = async (base_url: string): Promise<void> => {
    const none = (words: string) => ({ models: [], words });
    find(none(base_url === "" ? "" : "Reading its models"));
    if (base_url !== "")
      find(await call<typeof found>("api/models", { base_url }).catch(({ message }: Error) => none(message)));
  };
  return (
    <>
      <label>
        Model
        <input
          name="model"
          class="code"
          list="models"
          spellcheck={false}
          placeholder={isLocked ? "none" : "PROVIDER:NAME"}
          defaultValue={task?.model}
        />
      </label>
      <label>
        Address of its server
        <input
          name="model_base_url"
          class="code"
          spellcheck={false}
          placeholder={isLocked ? "none" : "127.0.0.1:11434/v1"}
          defaultValue={task?.model_base_url}
          onChange={({ currentTarget: { value } }) => void listModels(value.trim())}
        />
      </label>
      <datalist id="models">
        {found.models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p class="small wide-field" role="status">
        {found.words}
      </p>
    </>
  );
}

function Choice({
  name,
  label,
  options,
  value,
}: {
  name: string;
  label: string;
  options: Record<string, string>;
  value: string;
}) {
  const all = value in options ? options : { ...options, [value]: value };
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(all).map(([key, words]) => (
          <option key={key} value={key} selected={key === value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The options of `start` that a task is; what is left empty is left to the configuration. */
export function startOptions(task: Partial<Task>): Record<string, unknown> {
  const given = Object.entries(task).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (name === "corpus") return [name, lines(value)];
      if (name === "provider") return [name, value.split(", ")];
      return [name, NUMBERS.some(([, number]) => number.name === name) ? Number(value) : value.trim()];
    }),
  );
}

function lines(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}
