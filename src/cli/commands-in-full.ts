// Findings as programs get them: the next steps as whole commands.
import { fullCommand, type NextStep } from "../run/next-step.ts";
import type { Host } from "./host.ts";

export function forPrograms<Finding extends { next: readonly NextStep[] }>(
  host: Pick<Host, "cliInvocation">,
  { next, ...finding }: Finding,
): Omit<Finding, "next"> & { next_commands: string[] } {
  return { ...finding, next_commands: next.map((step) => fullCommand(host, step)) };
}
