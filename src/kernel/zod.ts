// zod as everybody uses it, without its compiler: most commands read few values with each schema, and end before compiling pays.
import * as z from "zod";

z.config({ jitless: true });

export { z };
