// The tools of the surfaces other than the command line: verbs performed here, and workers for those that take long.
import type { Manner } from "../surface/own-workers.ts";
import type { VerbTools } from "../surface/verb-calls.ts";
import type { AgentTrust } from "./agent-trust.ts";
import type { CommandContext } from "./command.ts";

/** `steps`: how next steps are written for the caller. */
export async function verbTools(context: CommandContext, steps: Manner["steps"]): Promise<VerbTools> {
  const { host, ports, runsRoot, commands } = context;
  const [{ OwnWorkers }, { handingOn }, { fieldsOf, performWithin, writerOf }] = await Promise.all([
    import("../surface/own-workers.ts"),
    import("../surface/fleet-workers.ts"),
    import("./perform.ts"),
  ]);
  const { runs_root, config, trust_workspace, store, store_file, store_schema } = context.common;
  const manner = { common: { runs_root, config, trust_workspace, store, store_file, store_schema }, steps };
  const workers = new OwnWorkers((...args) => host.startOwnProcess(...args), manner);
  return {
    ports,
    workers: ports.fleet === undefined ? workers : handingOn(workers),
    perform: async (verb, said) =>
      await performWithin(host, () => ports, commands, { ...manner, verb, said: { ...said }, has_events: false }),
    fieldsOf: fieldsOf(commands),
    runsRoot,
    write: await writerOf(host, commands, steps),
  };
}

/** The tools of a server for agents, who may not say all that a user may, unless they are trusted. */
export async function agentTools(
  context: CommandContext,
  { trust_agent: isTrusted }: { trust_agent: boolean },
  trust: AgentTrust,
): Promise<VerbTools> {
  const tools = await verbTools(context, "calls");
  if (isTrusted) return tools;
  const { AgentJudge } = await import("./agent-trust.ts");
  const judge = new AgentJudge(context, trust);
  return { ...tools, judge: async (...args) => await judge.judge(...args) };
}
