// zod itself, in a module of its own: schema.ts loads it when the first value is read with a schema.
import { z } from "zod";

// To compile a schema pays after some hundred values; most commands end before.
z.config({ jitless: true });

export { z };
