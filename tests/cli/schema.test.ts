// `schema` prints the JSON Schema of every format, and what the program writes fits it.
import { expect, test } from "bun:test";
import { SCHEMAS } from "../../src/surface/schemas.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

test("without a name it lists every format and where it is met", async () => {
  const { code, stdout } = await cli(["schema"]);
  expect(code).toBe(0);
  for (const [name, { where }] of Object.entries(SCHEMAS))
    expect(stdout).toMatch(new RegExp(`^${name} +${where.replaceAll(/[*.]/g, "\\$&")}$`, "m"));
});

test("with a name it prints a JSON Schema, and --json holds the same", async () => {
  for (const name of Object.keys(SCHEMAS)) {
    const printed: unknown = JSON.parse((await cli(["schema", name])).stdout);
    expect(printed).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
    expect(envelopeIn((await cli(["schema", name, "--json"])).stdout).result).toEqual({
      format: name,
      schema: printed,
    });
  }
});

test("its version is in the schema as the only one allowed", async () => {
  for (const name of Object.keys(SCHEMAS).filter((one) => !one.startsWith("journal"))) {
    const { properties } = JSON.parse((await cli(["schema", name])).stdout) as { properties: Record<string, unknown> };
    expect([name, properties["schema_version"]]).toEqual([name, { type: "string", const: name }]);
  }
});

test("an unknown name is refused with the nearest one", async () => {
  const { code, stderr } = await cli(["schema", "report.v4"]);
  expect(code).toBe(2);
  expect(stderr).toContain("did you mean report.v");
});

test("a name that every object has, such as constructor, is refused, too", async () => {
  for (const name of ["constructor", "__proto__", "toString"])
    expect(await cli(["schema", name])).toMatchObject({ code: 2, stderr: expect.stringContaining(`"${name}": use `) });
});
