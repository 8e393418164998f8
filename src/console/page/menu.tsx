// A menu: it closes once something in it was chosen, by Escape, and when the focus leaves it.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export function Menu({
  label,
  children,
  name,
}: {
  label: ComponentChildren;
  name?: string;
  children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={({ key }) => {
        if (key !== "Escape" || menu.current?.open !== true) return;
        close();
        menu.current.querySelector("summary")?.focus();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget as Node)) close();
      }}
    >
      <summary aria-label={name}>{label}</summary>
      <ul onClick={({ target }) => (target as Element).closest("a, button") !== null && close()}>{children}</ul>
    </details>
  );
}
