// What a researcher may do: search, open a document or a page that was shown, find words in it, record an exact quote, and
// note what is missing.
import type { Tool } from "../../ports/driver.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { findTool, openTool } from "./document-tools.ts";
import { gapTool, quoteTool } from "./quote-tools.ts";
import { openUrlTools } from "./open-url-tool.ts";
import type { SourceReading } from "./read-source.ts";
import { searchTool } from "./search-tool.ts";

export interface ReadingOptions extends SourceReading {
  parts: readonly QuestionPart[];
  limits: Limits;
}

export function readingTools(options: ReadingOptions): Tool[] {
  const reading = [searchTool(options), openTool(options), ...openUrlTools(options), findTool(options)];
  return [...reading, quoteTool(options), gapTool(options)];
}
