// The next steps of a run: each as a command to copy, and as a button where the page can do it.
import { Action } from "./action.tsx";
import { act, askAgain, fork, said } from "./session.ts";
import type { Way } from "./wire.ts";

export function WaysOn({ ways }: { ways: readonly Way[] }) {
  if (ways.length === 0) return null;
  return (
    <ul class="steps">
      {ways.map((way) => (
        <li key={way.command}>
          <span class="why">{way.why}</span>
          <span class="buttons">
            <DoButton way={way} />
            {way.elsewhere !== null && <a href={`#${way.elsewhere}`}>Open that run</a>}
            <CopyButton text={way.command} />
          </span>
          <code>{way.shown}</code>
        </li>
      ))}
    </ul>
  );
}

function DoButton({ way: { why, request } }: { way: Way }) {
  if (request === null) return null;
  const { action, label, body } = request;
  return (
    <Action
      aria-label={`${label}: ${why}`}
      onClick={() => void (action === "ask" ? askAgain() : action === "fork" ? fork(body) : act(action, body))}
    >
      {label}
    </Action>
  );
}

function CopyButton({ text }: { text: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    said.value = "The command was copied.";
  };
  return (
    <button type="button" class="quiet" aria-label={`Copy: ${text}`} onClick={() => void copy()}>
      Copy
    </button>
  );
}
