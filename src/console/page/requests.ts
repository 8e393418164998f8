// Requests to the server of this page. Their paths are relative to the page, since its cookie is sent nowhere else.

interface ErrorBody {
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

  constructor({ code, message, hint, details }: ErrorBody) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.path = typeof details?.["path"] === "string" ? details["path"] : null;
  }
}

/** Reads something; with a body, changes something. Errors: `Refusal`. */
export async function call<Answer>(path: string, body?: object): Promise<Answer> {
  return (await (await answerTo(path, body)).json()) as Answer;
}

/** A document of the server's own, as it is. Errors: `Refusal`. */
export async function callText(path: string): Promise<string> {
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
  hint: "Runs continue without it. Start deep-research serve again: this page continues.",
};
const UNAUTHORIZED = {
  code: "UNAUTHORIZED",
  message: "The server refuses this page.",
  hint: "Open the address that it printed last, or run deep-research serve --open.",
};

function post(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function refusalIn(response: Response): Promise<ErrorBody> {
  try {
    return ((await response.json()) as { error: ErrorBody }).error;
  } catch {
    return { code: String(response.status), message: `the server answered ${response.status}`, hint: "" };
  }
}
