// zod itself, for the tools of `.opencode`: their host looks into schemas.
export { z } from "zod";
