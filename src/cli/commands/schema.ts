// deep-research schema
import { defineCommand } from "../command.ts";
import { jsonSchemaOf, SCHEMAS } from "../../surface/schemas.ts";
import { text } from "../../kernel/field.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";
import { anyOf } from "../../kernel/any-of.ts";
import { memberOf } from "../../kernel/member.ts";
import { columns } from "../terminal/layout.ts";

const NAMES = Object.keys(SCHEMAS);

export const command = defineCommand({
  description:
    "Formats are what this program writes for other programs. Readers ignore fields they do not know; fields are only ever added.",
  seeAlso: ["verify", "inspect"],
  operand: { name: "format", usage: "[<format>]", least: 0, most: 1 },
  fields: { format: { ...text("FORMAT", "which format"), choices: NAMES } },
  examples: [
    ["schema", "the formats, and where each one is met"],
    ["schema report.v2 > report.v2.json", "for a validator"],
  ],
  exits: [
    [0, "printed"],
    [2, "bad usage, or no such format"],
  ],
  withoutConfiguration: true,
  async run(_context, { format: name }) {
    if (name === undefined) {
      const formats = Object.entries(SCHEMAS).map(([format, { where }]) => ({ format, where }));
      return {
        outcome: { result: { formats }, run: null, error: null },
        text: () => columns(formats.map(({ format, where }) => [format, where])),
      };
    }
    const known = memberOf(SCHEMAS, name);
    if (known === undefined) throw wrongValue(name, anyOf(NAMES), NAMES);
    const schema = jsonSchemaOf(known);
    return {
      outcome: { result: { format: name, schema }, run: null, error: null },
      text: () => `${JSON.stringify(schema, null, 2)}\n`,
    };
  },
});
