// Names the documents of an MCP server: the name of the server, then its own name for the document.

/** `item`: a document that the fetch tool gives by its id. `answer`: the text of the search tool for a query. */
export type Place =
  { kind: "resource"; uri: string } | { kind: "item"; id: string } | { kind: "answer"; query: string };

/** The tools of the server by their use. */
type Tools = Readonly<Record<"search" | "fetch", { name: string } | null>>;

/** `docs:file:///a.md`, `docs:fetch(42)`, `docs:search(how to)`. */
export function originOf(server: string, place: Place, tools: Tools): string {
  switch (place.kind) {
    case "resource":
      return `${server}:${place.uri}`;
    case "item":
      return `${server}:${tools.fetch?.name ?? "fetch"}(${place.id})`;
    case "answer":
      return `${server}:${tools.search?.name ?? "search"}(${place.query})`;
  }
}

/** The place of an origin; null for an origin of another server. */
export function placeOf(server: string, origin: string, tools: Tools): Place | null {
  if (!origin.startsWith(`${server}:`)) return null;
  const rest = origin.slice(server.length + 1);
  const inside = (tool: { name: string } | null): string | null =>
    tool !== null && rest.startsWith(`${tool.name}(`) && rest.endsWith(")")
      ? rest.slice(tool.name.length + 1, -1)
      : null;
  const id = inside(tools.fetch);
  if (id !== null) return { kind: "item", id };
  const query = inside(tools.search);
  if (query !== null) return { kind: "answer", query };
  return rest === "" ? null : { kind: "resource", uri: rest };
}
