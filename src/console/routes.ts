// The routes of the console as a table, and the search for the route of a path. Loads nothing.

export interface Route {
  method: "GET" | "POST";
  /** `:name` matches one segment, or for its part before a dot. */
  path: string;
  /** The name of its handler. */
  does: string;
  about: string;
  /** The parameters that may be behind the question mark. */
  query?: readonly string[];
  /** A POST that changes nothing. */
  isView?: true;
}

const RUN = "/api/runs/:run";
const REPORT = `${RUN}/reports/:version`;

export const ROUTES = [
  { method: "GET", path: "/api/runs", does: "list", about: "all runs, the newest first", query: ["state", "limit"] },
  {
    method: "POST",
    path: "/api/runs",
    does: "start",
    about:
      "start a run: the options of start in snake_case; run_id makes a repeat harmless, resume continues the newest interrupted run of the question",
  },
  { method: "GET", path: RUN, does: "snapshot", about: "the current state of a run", query: ["text"] },
  {
    method: "GET",
    path: `${RUN}/events`,
    does: "events",
    about: "its journal as server-sent events, and what models say meanwhile",
    query: ["after", "lines"],
  },
  {
    method: "GET",
    path: `${RUN}/inspect`,
    does: "inspect",
    about: "everything about it, or one step",
    query: ["step"],
  },
  { method: "GET", path: `${RUN}/triage`, does: "triage", about: "what is wrong, why, and what to do" },
  { method: "GET", path: `${RUN}/diff`, does: "diff", about: "two report versions compared", query: ["from", "to"] },
  { method: "GET", path: `${RUN}/sources/:source`, does: "source", about: "the text of a stored source, checked" },
  { method: "GET", path: `${REPORT}/page`, does: "page", about: "the body of a report as HTML" },
  {
    method: "GET",
    path: `${REPORT}.:format`,
    does: "report",
    about: "a report as a file; current is the selected one",
    query: ["timeline"],
  },
  { method: "POST", path: `${RUN}/verify`, does: "verify", about: "check it down to the stored bytes", isView: true },
  { method: "POST", path: `${RUN}/pause`, does: "pause", about: "pause it once everything is on disk" },
  { method: "POST", path: `${RUN}/resume`, does: "resume", about: "lift a pause, a hold or a halt, and continue" },
  { method: "POST", path: `${RUN}/abort`, does: "abort", about: "end its research for good; needs confirm: true" },
  { method: "POST", path: `${RUN}/ask`, does: "ask", about: "ask on: a new run for a question that follows this one" },
  { method: "POST", path: `${RUN}/fork`, does: "fork", about: "a new run from its finished steps" },
  { method: "POST", path: `${RUN}/generate`, does: "generate", about: "a further report version from what there is" },
  { method: "POST", path: `${RUN}/select`, does: "select", about: "make a report version the current one" },
  { method: "POST", path: `${RUN}/settle`, does: "settle", about: "say what became of a tool call that was cut off" },
  { method: "POST", path: `${RUN}/approve`, does: "approve", about: "continue with the plan that waits for approval" },
  { method: "POST", path: "/api/models", does: "models", about: "the models that the server at base_url says it has" },
  {
    method: "POST",
    path: "/agents/run",
    does: "agentsRun",
    about: "begin a run in a chat, or continue the one that was interrupted",
  },
  {
    method: "GET",
    path: "/agents/status",
    does: "agentsStatus",
    about: "the status of the newest run of a chat, and what resume would continue",
    query: ["chatId"],
  },
  { method: "GET", path: "/openapi.json", does: "openapi", about: "these routes as OpenAPI" },
] as const satisfies readonly Route[];

export type RouteName = (typeof ROUTES)[number]["does"];

export interface Found {
  does: RouteName;
  isView: boolean;
  params: Readonly<Record<string, string>>;
}

/** `methods`: the path exists for these methods only. */
export function findRoute(method: string, path: string): Found | { methods: string[] } | null {
  const there = ROUTES.flatMap((route) => {
    const match = patternOf(route).exec(path);
    return match === null ? [] : [{ route, params: match.groups ?? {} }];
  });
  if (there.length === 0) return null;
  const found = there.find(({ route }) => route.method === method);
  if (found === undefined) return { methods: [...new Set(there.map(({ route }) => route.method))] };
  const { route, params } = found;
  return { does: route.does, isView: route.method === "GET" || "isView" in route, params };
}

function patternOf({ path }: Route): RegExp {
  const words = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${words}$`);
}
