// Lists the tools of a researcher, in the order in which a model is told them.
import type { Tool } from "../../ports/driver.ts";
import { findTool, openTool, openUrlTools } from "./document-tools.ts";
import { gapTool, quoteTool } from "./quote-tools.ts";
import type { Reading } from "./reading.ts";
import { searchTool } from "./search-tool.ts";

export function readingTools(reading: Reading): Tool[] {
  const finding = [searchTool(reading), openTool(reading), ...openUrlTools(reading), findTool(reading)];
  return [...finding, quoteTool(reading), gapTool(reading)];
}
