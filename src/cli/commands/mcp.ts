// deep-research mcp
import { agentTools } from "../verb-tools.ts";
import { defineCommand } from "../command.ts";
import { SERVER_EXITS } from "../exits.ts";
import { flag, listOf, text } from "../../kernel/field.ts";
import { refuseOptions } from "../options/options.ts";

export const command = defineCommand({
  description:
    "Speaks the Model Context Protocol over stdin and stdout with the agent that started it. Each tool is a command: the command's options are its arguments (max_rounds for --max-rounds), and the object of --json is its result. Work that a tool began continues when the agent or the server ends.",
  seeAlso: ["start", "status", "report show", "doctor"],
  fields: {
    trust_agent: flag("let the agent name models, providers, folders and budgets that your configuration does not"),
    corpus_root: listOf(text("DIR", "let the agent also read documents below these folders")),
  },
  examples: [
    ["mcp", "what the configuration of an agent starts"],
    ["mcp --runs-root /data/runs", "for the runs of another folder"],
    ["mcp --corpus-root /data/docs", "with documents that the configuration does not name"],
  ],
  notes: [
    "Tools\n  run_start run_tick run_fork run_list run_status run_inspect run_triage run_resume run_pause run_abort agent_result report_show report_export run_verify search",
  ],
  exits: [[0, "the agent has left, or a first Ctrl-C or SIGTERM ended the server; runs continue"], ...SERVER_EXITS],
  async run(context, input) {
    refuseOptions(context.common, ["json"], "goes with the other commands: over stdout mcp speaks its protocol");
    const { host } = context;
    if (host.isTerminal("stdin"))
      host.write("stderr", "this waits for the messages of an agent; docs/mcp.md says how to set one up\n");
    const { interrupt, terminate } = await context.takeSignals();
    const { serveMcp } = await import("../../mcp/server.ts");
    const log = (line: string): void => host.write("stderr", `${line}\n`);
    const roots = {
      roots: input.corpus_root.map(context.absolute),
      addsRoots: "--corpus-root DIR to the command of this server",
    };
    const tools = { ...(await agentTools(context, input, roots)), log };
    await serveMcp(tools, host.protocolStreams(), AbortSignal.any([interrupt, terminate]));
    return { outcome: { result: null, run: null, error: null }, text: () => "" };
  },
});
