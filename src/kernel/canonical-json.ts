// Writes plain values as canonical JSON (RFC 8785), and refuses what has no canonical form.
import stringify from "fast-json-stable-stringify";
import { RunError } from "./errors.ts";

export const MAX_JSON_DEPTH = 200;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The canonical form of a value. Properties that are `undefined` are left out, as JSON has no such value.
 * Errors: `SCHEMA_VALIDATION_FAILED` for NaN, infinities, integers beyond 2^53-1, lone surrogates,
 * nesting beyond 200 and values that are not JSON.
 */
export function canonicalJson(value: unknown): string {
  refuseNonCanonical(value, 0, "$");
  return stringify(value);
}

function refuseNonCanonical(value: unknown, depth: number, where: string): void {
  if (depth > MAX_JSON_DEPTH) throw notCanonical(where, `deeper than ${MAX_JSON_DEPTH} levels`);
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw notCanonical(where, "a lone surrogate");
      return;
    case "number":
      if (!Number.isFinite(value)) throw notCanonical(where, "not a finite number");
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        throw notCanonical(where, "an integer beyond 2^53-1");
      return;
    case "boolean":
      return;
    case "object":
      break;
    default:
      throw notCanonical(where, `a ${typeof value} is not JSON`);
  }
  if (value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) refuseNonCanonical(value[index], depth + 1, where);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notCanonical(where, "not a plain object");
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (!key.isWellFormed()) throw notCanonical(where, "a lone surrogate in a key");
    refuseNonCanonical(member, depth + 1, key);
  }
}

function notCanonical(where: string, reason: string): RunError {
  return new RunError("SCHEMA_VALIDATION_FAILED", { reason: `no canonical JSON: ${reason}`, at: where });
}
