// The roles of models in a run. A role without a model of its own uses the default model.
import { z } from "../kernel/zod.ts";

export const ROLES = ["planner", "researcher", "writer", "reviewer", "verifier"] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** What a call is made for: a role, or an endpoint that puts passages in order. */
export type CallRole = Role | "ranker";
