// The parts of zod that schemas are made with; schema.ts loads them when the first value is read with a schema.
// Each stands here by its name, so that the built program leaves out the rest: it takes longer to load than these do.
export {
  array,
  boolean,
  custom,
  discriminatedUnion,
  enum,
  iso,
  literal,
  looseObject,
  number,
  object,
  partialRecord,
  record,
  strictObject,
  string,
  toJSONSchema,
  undefined,
  union,
  unknown,
} from "zod";
