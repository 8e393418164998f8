// The dialog that shows what a statement rests on: its quotes, highlighted inside the stored text of their source.
import { useEffect, useRef } from "preact/hooks";
import { judgedText } from "../../pages/judged-text.ts";
import { memberOf } from "../../kernel/member.ts";
import { Followed, useFollowed } from "./followed.ts";
import { markedText } from "./marked-text.ts";
import { call, Refusal } from "./requests.ts";
import { openId } from "./session.ts";
import type { Claim, Report, StoredSource } from "./wire.ts";

export interface Place {
  source_digest: string;
  start: number;
  end: number;
}

interface Opened {
  quotes: readonly Place[];
  /** Which of the quotes is shown. */
  at: number;
  claim?: Claim;
  report?: Report;
}

const opened = new Followed<Opened | null>(null);
const source = new Followed<StoredSource | Refusal | null>(null);

/** Shows a quote in its source. */
export function openQuote(quote: Place): void {
  opened.value = { quotes: [quote], at: 0 };
}

export function openSource(source_digest: string): void {
  openQuote({ source_digest, start: 0, end: 0 });
}

/** Shows the quotes of a statement, or the one of a mark: `HEX START END`. */
export function openStatement(report: Report, id: string, mark?: string): void {
  const statement = memberOf(report.statements, id);
  if (statement === undefined || !("quotes" in statement)) return;
  const [hex, start, end] = mark?.split(" ") ?? [];
  const place = { source_digest: `sha256:${hex}`, start: Number(start), end: Number(end) };
  const quotes = mark === undefined ? statement.quotes : [place];
  // What has no verdict claims nothing.
  opened.value = { quotes, at: 0, report, ...("verdict" in statement && { claim: statement }) };
}

/** As files and routes name a source. */
function hexOf({ source_digest }: Pick<Place, "source_digest">): string {
  return source_digest.slice(source_digest.indexOf(":") + 1);
}

opened.follow(() => {
  const { quotes, at } = opened.value ?? { quotes: [], at: 0 };
  const quote = quotes[at];
  const known = source.value;
  if (quote === undefined) return;
  if (known !== null && !(known instanceof Refusal) && known.source_digest === quote.source_digest) return;
  source.value = null;
  call<StoredSource>(`api/runs/${openId.value}/sources/${hexOf(quote)}`).then(
    (answer) => (source.value = answer),
    (error: unknown) => (source.value = error as Refusal),
  );
});

export function SourceDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = useFollowed(opened);
  useEffect(() => {
    if (shown === null) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [shown]);
  return (
    <dialog ref={dialog} class="source" aria-label="Evidence" onClose={() => (opened.value = null)}>
      <form method="dialog">
        <button class="quiet close">Close</button>
      </form>
      {shown !== null && <Evidence shown={shown} />}
    </dialog>
  );
}

function Evidence({ shown }: { shown: Opened }) {
  const { quotes, at, claim, report } = shown;
  const quote = quotes[at];
  return (
    <>
      {claim !== undefined && report !== undefined && <Statement claim={claim} report={report} />}
      {quotes.length > 1 && (
        <p class="buttons" role="group" aria-label="Quotes">
          {quotes.map((_quote, index) => (
            <button
              key={index}
              type="button"
              aria-pressed={index === at}
              onClick={() => (opened.value = { ...shown, at: index })}
            >
              Quote {index + 1}
            </button>
          ))}
        </p>
      )}
      {quote !== undefined && <InSource quote={quote} />}
    </>
  );
}

function Statement({ claim, report }: { claim: Claim; report: Report }) {
  const from = claim.basis === "derived" ? claim.from : [];
  return (
    <div class="statement">
      <h2 dir="auto">{claim.text}</h2>
      <p class={claim.verdict === "supported" ? "small" : "doubt"}>
        {claim.verdict.replace("_", " ")}
        {claim.reason !== undefined && `: ${claim.reason}`}, {judgedText(claim.method)}
      </p>
      {claim.basis === "derived" && claim.expression !== undefined && (
        <p>
          Computed as <code>{claim.expression}</code>
        </p>
      )}
      {claim.basis === "derived" && <p>{from.length > 0 ? "It follows from:" : "It follows from its quotes:"}</p>}
      {from.length > 0 && (
        <ul>
          {from.map((id) => (
            <li key={id} dir="auto">
              <button type="button" class="link" onClick={() => openStatement(report, id)}>
                {memberOf(report.statements, id)?.text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function InSource({ quote }: { quote: Place }) {
  const mark = useRef<HTMLElement>(null);
  const stored = useFollowed(source);
  useEffect(() => mark.current?.scrollIntoView({ block: "center" }), [quote, stored]);
  if (stored === null) return <p class="small">Loading</p>;
  if (stored instanceof Refusal) return <p class="doubt">{stored.message}</p>;
  const { start, end } = quote;
  const [before, quoted, after] = markedText(stored.text, start, end);
  return (
    <>
      <p class="small">
        <strong dir="auto">{stored.title}</strong>, <bdi>{stored.origin}</bdi>, from {stored.provider_id}
        {end > start && `; bytes ${start} to ${end}`}
      </p>
      <div class="text" tabIndex={0} role="region" aria-label="Text of the source" dir="auto">
        {before}
        {quoted !== "" && <mark ref={mark}>{quoted}</mark>}
        {after}
      </div>
      {end > start && (
        <details>
          <summary>Check by hand</summary>
          <p>In the folder of the run this prints these bytes:</p>
          <pre>
            <code>{`tail -c +${start + 1} sources/${hexOf(stored)}.txt | head -c ${end - start}`}</code>
          </pre>
        </details>
      )}
    </>
  );
}
