// Describes the routes as OpenAPI 3.1, from their table and from the options of the commands behind them.
import type { FieldTable } from "../kernel/field.ts";
import { schemaOfUse } from "../surface/verb-use.ts";
import { type Action, ACTIONS, START } from "./verb-uses.ts";
import type { ConsoleParts, Handler } from "./request.ts";
import { json } from "./replies.ts";
import { ROUTES, type Route, type RouteName } from "./routes.ts";

type OptionsOf = (command: string) => Promise<FieldTable>;

export function openApiRoutes({ ports, fieldsOf }: ConsoleParts) {
  return { openapi: async () => json(await openApi(fieldsOf, ports.toolVersion)) } satisfies Record<string, Handler>;
}

export async function openApi(fieldsOf: OptionsOf, version: string): Promise<object> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: await operationOf(route, fieldsOf) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "deep-research serve", version },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { refusal: REFUSAL },
    },
  };
}

const REFUSAL = {
  type: "object",
  required: ["error", "halt", "run_id"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "hint", "details"],
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        hint: { type: "string" },
        details: { type: "object" },
      },
    },
    halt: { type: ["object", "null"] },
    run_id: { type: ["string", "null"] },
  },
};

async function operationOf(route: Route & { does: RouteName }, fieldsOf: OptionsOf): Promise<object> {
  const { about, does, path, query = [], method } = route;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter(name ?? "", "path"));
  const content = { "application/json": { schema: await bodyOf(does, fieldsOf) } };
  return {
    operationId: does,
    summary: about,
    parameters: [
      ...inPath,
      ...query.map((name) => parameter(name, "query")),
      ...(does === "agentsRun" ? [parameter("Idempotency-Key", "header")] : []),
    ],
    ...(method === "POST" ? { requestBody: { content } } : {}),
    responses: {
      200: { description: "done" },
      default: {
        description: "refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/refusal" } } },
      },
    },
  };
}

function parameter(name: string, where: "path" | "query" | "header"): object {
  return { name, in: where, required: where === "path", schema: { type: "string" } };
}

async function bodyOf(does: RouteName, fieldsOf: OptionsOf): Promise<object> {
  if (does === "verify") return { type: "object", properties: {} };
  if (does === "start") {
    const schema = schemaOfUse(START, await fieldsOf(START.verb));
    return { ...schema, properties: { ...schema.properties, resume: { type: "boolean" } } };
  }
  if (does === "models")
    return { type: "object", required: ["base_url"], properties: { base_url: { type: "string" } } };
  if (does === "agentsRun") {
    const { properties } = schemaOfUse(START, await fieldsOf(START.verb));
    const { question: message, chat_id: chatId, ...options } = properties;
    return { type: "object", properties: { message, chatId, resume: { type: "boolean" }, ...options } };
  }
  if (!isAction(does)) return { type: "object" };
  const command = ACTIONS[does];
  const schema = schemaOfUse(command, await fieldsOf(command.verb));
  const { run: _run, yes, ...options } = schema.properties;
  const needed = schema.required.filter((name) => name !== "run" && name !== "yes");
  const confirm = yes === undefined ? {} : { confirm: { const: true } };
  return {
    ...schema,
    properties: { ...options, ...confirm, expected_revision: { type: "integer" } },
    required: yes === undefined ? needed : [...needed, "confirm"],
  };
}

function isAction(does: RouteName): does is Action & RouteName {
  return Object.hasOwn(ACTIONS, does);
}
