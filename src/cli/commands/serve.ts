// deep-research serve
import { envelopeOf } from "../../surface/envelope.ts";
import { agentTools, verbTools } from "../verb-tools.ts";
import { consoleToken } from "../console-token.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { SERVER_EXITS } from "../exits.ts";
import type { PrivateFile } from "../../ports/private-file.ts";
import type { Host } from "../host.ts";
import { openFile } from "../opener.ts";
import { given } from "../../kernel/given.ts";
import type { Sensitivity } from "../../run/settings/settings.ts";
import { DEFAULT_SENSITIVITY, RUN_FIELDS } from "../../run/settings/fields.ts";
import { flag, integer } from "../../kernel/field.ts";

const MAX_PORT = 65_535;

export const command = defineCommand({
  description:
    "Shows every run as it works, what it waits for, its reports and what they rest on. Its routes are in docs/console.md.",
  seeAlso: ["start", "watch", "mcp", "doctor"],
  fields: {
    port: integer(
      "N",
      "listen on this port; 0 for any that is free",
      {
        least: 0,
        most: MAX_PORT,
      },
      "4747, or the next free one",
    ),
    open: flag("open the page in a browser"),
    trust_agent: flag(
      "let agents at /mcp name models, providers, folders and budgets that your configuration does not",
    ),
    read_only: flag("show runs and reports, and refuse everything that changes something"),
    new_token: flag("replace the token that is kept for these runs: pages that are open have to be opened anew"),
  },
  examples: [
    ["serve --open", "the page in a browser"],
    ["serve --port 8080 --runs-root /data/runs", "on this port, for the runs of another folder"],
    ["serve --read-only --json", "for programs: the URL and the token are in the first line"],
  ],
  notes: [
    "It listens on this machine alone, and wants its token with everything. The printed URL lets one browser in; then the next one is printed.",
    "Work continues when the server ends, and open pages outlive a restart.",
  ],
  exits: [[0, "a first Ctrl-C or SIGTERM ended the server; runs continue"], ...SERVER_EXITS],
  async run(context, input) {
    const { host } = context;
    const { interrupt, terminate } = await context.takeSignals();
    // One after the other: both load zod, which must not be used while it is half loaded.
    const { mcpOverHttp } = await import("../../mcp/server.ts");
    const { serveConsole } = await import("../../console/serve.ts");
    const tools = await verbTools(context, "commands");
    const forAgents = await agentTools(context, input, { roots: [] });
    const mcp = mcpOverHttp({ ...forAgents, log: (line) => host.write("stderr", `${line}\n`) });
    const said = context.configuration.find("sensitivity", RUN_FIELDS.sensitivity);
    const { token, file, why } = await consoleToken(context, { isReadOnly: input.read_only, isNew: input.new_token });
    if (why !== null)
      host.write("stderr", `the token is not kept, and pages end with this server: ${shownLine(why)}\n`);
    const entered = Promise.withResolvers<void>();
    const lineFor = (url: string, port: number): string =>
      context.common.json ? serving(context, { url, token, token_file: file, port }) : `${url}\n`;
    const served = await serveConsole(
      { ...tools, listen: (...args) => host.listen(...args), pageFiles: (page) => host.pageFiles(page), mcp },
      {
        isReadOnly: input.read_only,
        sensitivity: (said?.value as Sensitivity | undefined) ?? DEFAULT_SENSITIVITY,
        token,
        ...given({ port: input.port }),
        onEnter(url) {
          entered.resolve();
          // A reader of the first line alone may be gone.
          host.writeLater("stdout", lineFor(url, served.port)).catch(() => {});
        },
      },
    );
    let opening: PrivateFile | null = null;
    try {
      host.write("stdout", lineFor(served.url, served.port));
      if (input.open) opening = await openPage(host, served.url, entered.promise);
      const stop = AbortSignal.any([interrupt, terminate]);
      if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
    } finally {
      opening?.remove();
      await served.stop();
    }
    return { outcome: { result: null, run: null, error: null }, isPrinted: true, text: () => "" };
  },
});

/** What programs get at once, since the command ends only with the server. */
function serving({ host, runsRoot }: CommandContext, served: object): string {
  const result = { ...served, runs_root: runsRoot() };
  const { cliInvocation } = host;
  return `${JSON.stringify(envelopeOf({ command: "serve", cliInvocation, run: null, result, error: null }))}\n`;
}

/**
 * Other users of the machine see the arguments of a program, so the browser gets a file that only this user may read, and
 * that leads to the URL. The file is removed once a browser was let in. Null where no browser could be opened.
 */
async function openPage(host: Host, url: string, entered: Promise<void>): Promise<PrivateFile | null> {
  try {
    const file = await host.privateFile("open.html", leadingTo(url));
    void entered.then(() => file.remove());
    if (await openFile(host, file.path)) return file;
    file.remove();
  } catch {
    // A temporary folder that takes no files.
  }
  host.write("stderr", "no browser could be opened: open the URL above in one\n");
  return null;
}

function leadingTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>deep-research</title>
<p><a href="${url}">Open the console</a></p>
`;
}
