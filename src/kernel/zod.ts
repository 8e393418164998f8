// zod itself, in a module of its own: schema.ts loads it when the first value is read with a schema.
export { z } from "zod";
