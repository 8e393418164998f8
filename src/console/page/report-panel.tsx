// The report: its versions, its text, its downloads, and how one version differs from another.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { moment, TRIGGERS } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import { Menu } from "./menu.tsx";
import { call, callText } from "./requests.ts";
import { act, fork, mayChange, openId, said, trouble } from "./session.ts";
import { openStatement } from "./source-dialog.tsx";
import type { Report, Snapshot, ReportDiff } from "./wire.ts";

const FORMATS = { md: "Markdown", html: "HTML", docx: "Word", json: "JSON", bibtex: "BibTeX" };

export function ReportPanel({ run }: { run: Snapshot }) {
  const isChangeable = useFollowed(mayChange);
  const address = useFollowed(openId) ?? "";
  const versions = run.report_versions;
  const current = run.current_report_version_index ?? versions.length;
  // Where none can be selected, as on a read-only server, they can still be shown.
  const [shown, show] = useState({ at: current, current });
  const at = shown.current === current ? shown.at : current;
  const [against, compare] = useState<number | null>(null);
  const version = versions.find(({ version_index }) => version_index === at);
  if (version === undefined) return null;
  const select = (index: number): void => {
    compare(null);
    said.value = `Report version ${index} of ${versions.length}`;
    if (!isChangeable) return show({ at: index, current });
    void act("select", { version: index }).then((selected) => {
      if (selected !== null) return;
      trouble.value = null;
      show({ at: index, current });
    });
  };
  const others = versions.filter(({ version_index }) => version_index !== at);
  return (
    <section class="report-panel" aria-label="Report">
      <header>
        <h2>Report</h2>
        <span class="navigator" role="group" aria-label="Report versions">
          <button type="button" aria-label="Older version" disabled={at <= 1} onClick={() => select(at - 1)}>
            ‹
          </button>
          <output data-testid="version">
            {at}/{versions.length}
          </output>
          <button
            type="button"
            aria-label="Newer version"
            disabled={at >= versions.length}
            onClick={() => select(at + 1)}
          >
            ›
          </button>
        </span>
        <span class="small">
          {moment(version.created_at)}, {TRIGGERS[version.trigger_type]}
          {version.template !== undefined && `, ${version.template.name}`}
          {version.partial && ", partial"}
        </span>
        <VerificationBadge run={run} />
        <Menu label="Download">
          {Object.entries(FORMATS).map(([format, name]) => (
            <li key={format}>
              <a href={`api/runs/${address}/reports/${at}.${format}`} download>
                {name}
              </a>
            </li>
          ))}
        </Menu>
        {others.length > 0 && (
          <label class="small">
            Compare with{" "}
            <select
              value={against ?? ""}
              onChange={({ currentTarget: { value } }) => compare(value === "" ? null : Number(value))}
            >
              <option value="">none</option>
              {others.map(({ version_index }) => (
                <option key={version_index} value={version_index}>
                  version {version_index}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      {against === null ? (
        <Body key={`${address} ${at}`} path={`api/runs/${address}/reports/${at}`} question={run.question} />
      ) : (
        <DiffView runId={address} from={Math.min(against, at)} to={Math.max(against, at)} />
      )}
    </section>
  );
}

/** The body as the server renders it. The server escapes everything that others wrote. */
function Body({ path, question }: { path: string; question: string }) {
  const body = useRef<HTMLDivElement>(null);
  const [html, setHtml] = useState<string | Error | null>(null);
  const report = useRef<Report | null>(null);
  useEffect(() => {
    callText(`${path}/page`).then(setHtml, setHtml);
  }, [path]);
  // The question is above the run already.
  useLayoutEffect(() => {
    const title = body.current?.querySelector("h1");
    if (title?.textContent === question) title.hidden = true;
  }, [html]);
  const open = async (event: MouseEvent): Promise<void> => {
    const target = (event.target as Element).closest<HTMLElement>("button.mark, a[href^='#']");
    if (target === null) return;
    const place = document.getElementById(target.getAttribute("href")?.slice(1) ?? "");
    const statement = target.closest<HTMLElement>("[data-statement]")?.dataset["statement"];
    // A link to no place of the page is one to another run.
    if (statement === undefined && place === null) return;
    // A mark would open its card; here there is the whole source to show.
    event.preventDefault();
    if (statement === undefined) return place?.scrollIntoView();
    report.current ??= await call<Report>(`${path}.json`);
    openStatement(report.current, statement, target.dataset["quote"]);
  };
  if (html === null) return <p class="small">Loading</p>;
  if (html instanceof Error) return <p class="doubt">{html.message}</p>;
  return (
    <div
      ref={body}
      class="report"
      onClick={(event) => void open(event)}
      onSubmit={(event) => {
        event.preventDefault();
        void fork({ question: ((event.target as Element).querySelector("input") as HTMLInputElement).value }, "ask");
      }}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** What checking the run down to its bytes came to, when, and a button to do it. */
function VerificationBadge({ run: { verification = null } }: { run: Snapshot }) {
  const [isChecking, setChecking] = useState(false);
  const verify = async (): Promise<void> => {
    setChecking(true);
    await act("verify");
    setChecking(false);
  };
  return (
    <span class="badge" role="status" data-testid="verification">
      {verification !== null && (
        <span class={`state ${verification.ok ? "good" : "bad"}`}>
          {verification.words}, {moment(verification.verified_at)}
        </span>
      )}
      <button type="button" disabled={isChecking} onClick={() => void verify()}>
        {isChecking ? "Verifying" : verification === null ? "Verify" : "Verify again"}
      </button>
    </span>
  );
}

/** The differences between two versions of the report. */
function DiffView({ runId, from, to }: { runId: string; from: number; to: number }) {
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
