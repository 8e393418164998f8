// Requests to the server that this page comes from. Their paths stand beside the page, since its cookie goes nowhere else.

/** The server said no, and why. */
export class Refusal extends Error {
  readonly code: string;
  readonly hint: string;

  constructor({ code, message, hint }: { code: string; message: string; hint: string }) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Asks for something; with a body, has something done. Errors: `Refusal`. */
export async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, body === undefined ? {} : post(body)).catch(() => {
    throw new Refusal({ code: "UNREACHABLE", message: "the server does not answer", hint: "start it again" });
  });
  if (response.ok) return (await response.json()) as Answer;
  throw new Refusal(await refusalIn(response));
}

/** A document of the server's own, as it is. Errors: `Refusal`. */
export async function askText(path: string): Promise<string> {
  const response = await fetch(path);
  if (response.ok) return await response.text();
  throw new Refusal(await refusalIn(response));
}

function post(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function refusalIn(response: Response): Promise<{ code: string; message: string; hint: string }> {
  try {
    return ((await response.json()) as { error: { code: string; message: string; hint: string } }).error;
  } catch {
    return { code: String(response.status), message: `the server answered ${response.status}`, hint: "" };
  }
}
