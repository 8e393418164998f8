// zod itself, for the tools of `.opencode`, whose host looks into schemas.
export { z } from "zod";
