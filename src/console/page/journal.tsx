// The journal of a run. Only the records in sight are drawn.
import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";

const ROW_PX = 24;
/** Drawn above and below what is in sight. */
const SPARE = 12;
const ROWS_IN_SIGHT = 14;

export function Journal({ run }: { run: LiveRun }) {
  useFollowed(run.changes);
  const { length } = run.journal;
  const [top, setTop] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const isAtEnd = useRef(true);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen && isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [length, isOpen]);
  const first = Math.max(0, Math.floor(top / ROW_PX) - SPARE);
  const lines = run.journal.slice(first, first + ROWS_IN_SIGHT + 2 * SPARE);
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { currentTarget: HTMLElement }) => {
    setTop(scrollTop);
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < ROW_PX;
  };
  return (
    <details class="journal" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Journal</h2> <span class="small">{count(length, "record")}</span>
      </summary>
      {isOpen && (
        <div class="records" ref={box} tabIndex={0} role="region" aria-label="Journal records" onScroll={onScroll}>
          <svg width="1" height={length * ROW_PX} aria-hidden="true" />
          <ol start={first + 1} ref={(list) => list?.style.setProperty("top", `${first * ROW_PX}px`)}>
            {lines.map(({ seq, ts, event, tone, text }) => (
              <li key={`${seq} ${event}`} class={tone}>
                <span class="seq">{seq}</span>
                <time dateTime={ts}>{ts.slice(11, 19)}</time>
                <strong>{event}</strong>
                <span dir="auto">{text}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </details>
  );
}
