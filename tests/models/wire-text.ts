// The parts that both wires share: texts in pieces, arguments as text, and usage that fits an answer.
import type { MessageAnswer, ScriptedUsage } from "./answers.ts";

const DELTA_LENGTH = 7;

/** UTF-16 units, so that a character may fall apart, as it does on real wires. */
export function piecesOf(text: string | undefined, { delta_length = DELTA_LENGTH }: MessageAnswer): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < (text ?? "").length; at += delta_length) pieces.push((text ?? "").slice(at, at + delta_length));
  return pieces;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function usageOf({ usage }: MessageAnswer): ScriptedUsage {
  return usage ?? { input: 100, output: 20 };
}
