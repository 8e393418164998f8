// The numbers in the form of a run, made from their fields when the page is bundled.
import { BUDGET_FIELDS, LIMIT_FIELDS } from "../run/settings/fields.ts";

const FIELDS = { ...LIMIT_FIELDS, ...BUDGET_FIELDS };
const LABELS = {
  max_depth: "Waves of research",
  max_rounds: "Drafts at most",
  results_per_query: "Passages per query",
  max_cost_usd: "Dollars at most",
} as const satisfies Partial<Record<keyof typeof FIELDS, string>>;
type NumberName = keyof typeof LABELS;

/** The label of an input, and its attributes in HTML. */
type NumberInput = [
  label: string,
  attributes: { type: "number"; name: NumberName; placeholder: string; min: number; max: number; step?: "any" },
];

/** Called as a macro: the page gets them as data, and loads none of the code behind them. */
export function numberInputs(): NumberInput[] {
  return (Object.keys(LABELS) as NumberName[]).map((name) => {
    const { range, standard } = FIELDS[name];
    const { isWhole, above = 0, least = above, most } = range;
    // HTML takes whole numbers where no step is said.
    const bounds = { min: least, max: most, ...(isWhole ? {} : { step: "any" as const }) };
    return [LABELS[name], { type: "number", name, placeholder: String(standard), ...bounds }];
  });
}
