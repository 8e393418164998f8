// Reads drafts and reports as any version stored them.
import { z } from "../../kernel/zod.ts";
import { draftOfV1Schema, reportOfV1Schema } from "./report-v1.ts";
import { draftOfNowSchema, reportOfNowSchema } from "./report.ts";

export const draftSchema = z.union([draftOfNowSchema, draftOfV1Schema]);
export const reportSchema = z.union([reportOfNowSchema, reportOfV1Schema]);
