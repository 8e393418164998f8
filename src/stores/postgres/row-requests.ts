// Requests to the owner of a run, as rows. The bytes that come with one are files of the run until it is dropped.
import { digestOfBytes } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { REQUESTS_FOLDER } from "../../run/log/layout.ts";
import { requestSchema, type Request } from "../../run/log/request.ts";
import { textOfRequest } from "../lease/request-files.ts";
import type { Contents } from "./contents.ts";
import type { Database, Statements } from "./database.ts";

/** Errors: `INPUT_TOO_LARGE`; `WRITE_FAILED` when its name is taken. */
export async function writeRequest(
  database: Database,
  contents: Contents,
  { id, root }: { id: string; root: string },
  request: Request,
  parts: readonly Uint8Array[],
): Promise<void> {
  const { request_id } = request;
  const body = new TextDecoder().decode(textOfRequest(request));
  const standing = await database.together(async (statements) => {
    const { count } = await statements.rows(
      "insert into {dr}.request (run, request_id, body) values ($1, $2, $3) on conflict do nothing",
      [id, request_id, body],
    );
    if (count === 0) return await bodyOf(statements, id, request_id);
    for (const [part, bytes] of parts.entries()) {
      const sha256 = digestOfBytes(bytes);
      await contents.store(statements, root, sha256, bytes);
      await statements.rows(
        `insert into {dr}.file (run, path, root, sha256, size, epoch) values ($1, $2, $3, $4, $5, 0)
          on conflict (run, path) do update set sha256 = excluded.sha256, size = excluded.size, epoch = excluded.epoch`,
        [id, partPath(request_id, part), root, sha256, bytes.byteLength],
      );
    }
    await statements.rows("update {dr}.run set requests = requests + 1 where id = $1", [id]);
    return body;
  });
  if (standing !== body) throw new RunError("WRITE_FAILED", { reason: "another request has this name", request_id });
}

async function bodyOf(statements: Statements, id: string, requestId: string): Promise<string | undefined> {
  const [row] = await statements.rows<{ body: string }>(
    "select body from {dr}.request where run = $1 and request_id = $2",
    [id, requestId],
  );
  return row?.body;
}

/** What is no request is left alone. */
export function requestsIn(bodies: readonly string[]): Request[] {
  return bodies.flatMap((body) => {
    const value = unlessThrown(() => parseStrictJson(new TextEncoder().encode(body)), null);
    return requestSchema.safeParse(value).data ?? [];
  });
}

export async function readRequests(
  statements: Statements,
  id: string,
): Promise<{ requests: Request[]; count: number }> {
  const [row] = await statements.rows<{ requests: number; waiting: string[] | null }>(
    `select r.requests, (select array_agg(q.body order by q.request_id collate "C") from {dr}.request q where q.run = r.id) as waiting
      from {dr}.run r where r.id = $1`,
    [id],
  );
  return { requests: requestsIn(row?.waiting ?? []), count: row?.requests ?? 0 };
}

export async function dropRequest(statements: Statements, id: string, requestId: string): Promise<void> {
  await statements.rows(
    `with gone as (delete from {dr}.request where run = $1 and request_id = $2)
     delete from {dr}.file where run = $1 and starts_with(path, $3)`,
    [id, requestId, `${REQUESTS_FOLDER}/${requestId}.`],
  );
}

export function partPath(requestId: string, part: number): string {
  return `${REQUESTS_FOLDER}/${requestId}.${part}`;
}
