// The entry file of the child process, when the program runs from its source.
import { runExtractChild } from "./child.ts";

await runExtractChild();
process.exit(0);
