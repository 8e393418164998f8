// Requests to the server of this page. Their paths are relative to the page, since its cookie is sent nowhere else.

interface Told {
  code: string;
  message: string;
  hint: string;
  details?: Readonly<Record<string, unknown>>;
}

/** The server said no, and why. */
export class Refusal extends Error {
  readonly code: string;
  readonly hint: string;
  /** Which file or folder is meant. */
  readonly path: string | null;

  constructor({ code, message, hint, details }: Told) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.path = typeof details?.["path"] === "string" ? details["path"] : null;
  }
}

/** Asks for something; with a body, has something done. Errors: `Refusal`. */
export async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  return (await (await answerTo(path, body)).json()) as Answer;
}

/** A document of the server's own, as it is. Errors: `Refusal`. */
export async function askText(path: string): Promise<string> {
  return await (await answerTo(path)).text();
}

async function answerTo(path: string, body?: object): Promise<Response> {
  const response = await fetch(path, body === undefined ? {} : post(body)).catch(() => null);
  if (response === null) throw new Refusal(UNREACHABLE);
  if (response.ok) return response;
  throw new Refusal(response.status === 401 ? UNAUTHORIZED : await refusalIn(response));
}

const UNREACHABLE = {
  code: "UNREACHABLE",
  message: "The server does not answer.",
  hint: "Runs go on without it. Start deep-research serve again: this page goes on.",
};
const UNAUTHORIZED = {
  code: "UNAUTHORIZED",
  message: "The server refuses this page.",
  hint: "Open the address that it printed last, or run deep-research serve --open.",
};

function post(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function refusalIn(response: Response): Promise<Told> {
  try {
    return ((await response.json()) as { error: Told }).error;
  } catch {
    return { code: String(response.status), message: `the server answered ${response.status}`, hint: "" };
  }
}
