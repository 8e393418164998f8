// What a researcher may do: search, open a document, find words in it, record an exact quote, and note what is missing.
import type { Tool } from "../../ports/driver.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { findTool, openTool } from "./document-tools.ts";
import { gapTool, quoteTool } from "./quote-tools.ts";
import type { SourceReading } from "./read-source.ts";
import { searchTool } from "./search-tool.ts";

export interface ReadingOptions extends SourceReading {
  parts: readonly QuestionPart[];
  limits: Limits;
}

export function readingTools(options: ReadingOptions): Tool[] {
  return [searchTool(options), openTool(options), findTool(options), quoteTool(options), gapTool(options)];
}
