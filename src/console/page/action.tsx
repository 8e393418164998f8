// A button that changes something. A read-only page does not show it.
import type { ButtonHTMLAttributes } from "preact";
import { useFollowed } from "./followed.ts";
import { mayChange } from "./session.ts";

export function Action(words: ButtonHTMLAttributes) {
  return useFollowed(mayChange) ? <button type="button" {...words} /> : null;
}
