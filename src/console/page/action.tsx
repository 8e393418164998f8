// A button that changes something; a page that only shows has none.
import type { ButtonHTMLAttributes } from "preact";
import { useFollowed } from "./followed.ts";
import { mayChange } from "./session.ts";

export function Action(words: ButtonHTMLAttributes) {
  return useFollowed(mayChange) ? <button type="button" {...words} /> : null;
}
