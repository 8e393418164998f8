// The differences between two report versions.
import { useEffect, useState } from "preact/hooks";
import { call } from "./requests.ts";
import type { ReportDiff } from "./wire.ts";

export function DiffView({ runId, from, to }: { runId: string; from: number; to: number }) {
  const [shown, show] = useState<ReportDiff | string | null>(null);
  useEffect(() => {
    show(null);
    call<ReportDiff>(`api/runs/${runId}/diff?from=${from}&to=${to}`).then(show, (error: Error) => show(error.message));
  }, [runId, from, to]);
  if (shown === null) return <p class="small">Loading</p>;
  if (typeof shown === "string") return <p class="doubt">{shown}</p>;
  const { claims, sources, gaps } = shown;
  const titles = (list: readonly { title: string }[]): string[] => list.map(({ title }) => title);
  const texts = (list: readonly { text: string }[]): string[] => list.map(({ text }) => text);
  return (
    <div class="diff" data-testid="diff">
      <h3>
        From version {from} to version {to}
      </h3>
      {shown.equal && <p>Nothing differs.</p>}
      {!shown.equal && shown.evidence_equal && <p>Both rest on the same evidence.</p>}
      <Change title="Statements added" kind="added" texts={texts(claims.added)} />
      <Change title="Statements dropped" kind="removed" texts={texts(claims.removed)} />
      <Change
        title="Judged anew"
        kind="changed"
        texts={claims.judged_anew.map(({ text, from: before, to: after }) => `${text} (${before}, now ${after})`)}
      />
      <Change title="Sources added" kind="added" texts={titles(sources.added)} />
      <Change title="Sources dropped" kind="removed" texts={titles(sources.removed)} />
      <Change title="No longer missing" kind="removed" texts={texts(gaps.removed)} />
      <Change title="Missing now" kind="added" texts={texts(gaps.added)} />
    </div>
  );
}

function Change({ title, kind, texts }: { title: string; kind: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class={kind}>
        {texts.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </>
  );
}
