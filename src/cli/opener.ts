// Opens a file in the user's browser, without a word of its content on a command line.
import type { Host } from "./host.ts";

/** The programs that open a file, on Linux and on macOS. */
const OPENERS = ["xdg-open", "open"];
const OPENING_MS = 10_000;
/** Without one of these, `xdg-open` would start a browser of the terminal, or wait. */
const DISPLAYS = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"];

/** `path`: absolute. False where no browser could be opened. */
export async function openFile(host: Host, path: string): Promise<boolean> {
  const environment = Object.fromEntries(
    Object.entries(host.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const hasDisplay = DISPLAYS.some((name) => (environment[name] ?? "") !== "");
  const url = `file://${path.split("/").map(encodeURIComponent).join("/")}`;
  for (const opener of OPENERS.filter((name) => hasDisplay || name !== "xdg-open")) {
    const options = { input: "", environment, workingFolder: "/", limitMs: OPENING_MS };
    const end = await host.runProgram([opener, url], options);
    if (end.kind === "ended" && end.status === 0) return true;
  }
  return false;
}
