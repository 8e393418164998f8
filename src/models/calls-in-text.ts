// Reads calls of tools that a model wrote into its text: JSON by itself, in a fence, or between tags such as `<tool_call>`.
// Models that do not know the form of their server write them there. Such a reply was paid for, and is not lost.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import { isObject } from "../kernel/json-object.ts";
import { parseWrittenJson } from "../kernel/written-json.ts";
import type { ToolDescription } from "../run/model/model.ts";

type TakingTool = Pick<ToolDescription, "name" | "input_schema">;

interface CallInText {
  name: string;
  arguments: string;
}

/**
 * The text without the calls, and the calls in order. Only tools of the request are called. `jsonTool`: the text had to be the
 * arguments of this tool. A text that begins as an object is taken as such, even if it is no JSON: then the tool refuses it.
 */
export function callsInText(
  text: string,
  tools: readonly TakingTool[],
  jsonTool: string | null = null,
): { rest: string; calls: CallInText[] } {
  const value = jsonTool === null ? undefined : parsed(text);
  const isWhole = beginsAsObject(text) || (typeof value === "string" && beginsAsObject(value));
  const whole = jsonTool !== null && isWhole ? { name: jsonTool, arguments: text } : null;
  if (whole !== null && value !== undefined && callsOf(value, tools).length === 0) return { rest: "", calls: [whole] };
  const calls: CallInText[] = [];
  let rest = "";
  let end = 0;
  for (const object of objectsIn(text)) {
    const named = callsOf(object.value, tools);
    const isMostOfIt = object.end - object.start >= text.length / 2;
    const found = named.length === 0 && isMostOfIt ? argumentsAlone(object.value, tools) : named;
    if (found.length === 0) continue;
    calls.push(...found);
    rest += text.slice(end, object.start);
    end = object.end;
  }
  if (calls.length === 0 && whole !== null) return { rest: "", calls: [whole] };
  return calls.length === 0 ? { rest: text, calls } : { rest: withoutFrames(rest + text.slice(end)), calls };
}

export function beginsAsObject(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** Removes what was around calls: empty fences and tags. */
function withoutFrames(text: string): string {
  return text
    .replace(/```[a-z_]*\s*```/g, "")
    .replace(/<\/?\|?(tool_calls?|function_calls?)\|?>/g, "")
    .trim();
}

/** The tool that is meant by `functions.search`, `default_api:search` or `search<|channel|>json`. An unknown name stays. */
export function toolNamed(name: string, tools: readonly Pick<TakingTool, "name">[]): string {
  if (tools.some((tool) => tool.name === name)) return name;
  const [said = ""] = name.split("<|");
  const bare = said
    .toLowerCase()
    .split(/[.:/]|__/u)
    .at(-1);
  return tools.find((tool) => tool.name.toLowerCase() === bare)?.name ?? name;
}

// --- the form of a call -------------------------------------------------------------------------------------------

function callsOf(value: unknown, tools: readonly TakingTool[]): CallInText[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => callsOf(one, tools));
  if (!isObject(value)) return [];
  const { tool_calls: several, function: inner } = value;
  if (Array.isArray(several)) return callsOf(several, tools);
  if (isObject(inner)) return callsOf(inner, tools);
  const said = value["name"] ?? value["tool"] ?? inner;
  const name = typeof said === "string" ? toolNamed(said, tools) : "";
  return tools.some((tool) => tool.name === name) ? [{ name, arguments: argumentsIn(value) }] : [];
}

/** An object without a name is the arguments of the tool that there is, or of the only one that takes these. */
function argumentsAlone(value: unknown, tools: readonly TakingTool[]): CallInText[] {
  if (!isObject(value) || value["name"] !== undefined) return [];
  const [fit, ...others] = tools.length === 1 ? tools : tools.filter((tool) => takes(tool, value));
  return fit === undefined || others.length > 0 ? [] : [{ name: fit.name, arguments: JSON.stringify(value) }];
}

function takes({ input_schema: { required, properties } }: TakingTool, value: Record<string, unknown>): boolean {
  const needed = Array.isArray(required) ? required : [];
  return (
    needed.length > 0 &&
    needed.every((key) => String(key) in value) &&
    Object.keys(value).every((key) => isObject(properties) && key in properties)
  );
}

function argumentsIn(call: Record<string, unknown>): string {
  const held = call["arguments"] ?? call["parameters"] ?? call["args"] ?? call["input"] ?? {};
  return typeof held === "string" ? held : JSON.stringify(held);
}

// --- JSON in a text -----------------------------------------------------------------------------------------------

/** A text with more places that could be JSON is something else. */
const MAX_BEGINNINGS = 100;

/** The outermost objects and lists that begin a line, or that are behind a tag or a fence. */
function* objectsIn(text: string): Generator<{ start: number; end: number; value: unknown }> {
  const beginning = /(?:^|\n|>|`)[^\S\n]*([{[])/g;
  for (let count = 0; count < MAX_BEGINNINGS; count++) {
    const match = beginning.exec(text);
    if (match === null) return;
    const start = beginning.lastIndex - 1;
    const end = endOf(text, start);
    const value = end === null ? undefined : parsed(text.slice(start, end));
    if (end === null || value === undefined) continue;
    yield { start, end, value };
    beginning.lastIndex = end;
  }
}

function parsed(text: string): unknown {
  return unlessThrown(() => parseWrittenJson(text), undefined);
}

/** The place behind the bracket that closes the one at `start`; null when there is none. */
function endOf(text: string, start: number): number | null {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (isInString) {
      if (sign === "\\") at++;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === "{" || sign === "[") depth++;
    else if ((sign === "}" || sign === "]") && --depth === 0) return at + 1;
  }
  return null;
}
