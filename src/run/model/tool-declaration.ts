// The declaration of a tool of an MCP server, which says if it only reads.
import { z } from "../../kernel/zod.ts";

/** `server`: its name in the settings. */
export const toolDeclarationSchema = z.object({
  server: z.string().min(1).max(40),
  tool: z.string().min(1).max(200),
  only_reads: z.boolean(),
});
export type ToolDeclaration = z.infer<typeof toolDeclarationSchema>;
