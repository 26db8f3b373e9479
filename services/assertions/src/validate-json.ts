import { findViolation, type SchemaRequest, type Violation } from "./find-violation.ts";
import { runThread } from "./run-thread.ts";

/** Limit of a validation in the event loop, as characters of the schema × characters of the value: some milliseconds. */
const inlineWorkMax = 20_000_000;
const timeoutMs = 2_000;

/** Keywords whose cost is not bounded by the sizes of schema and value: references may repeat, items are compared. */
const unbounded = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems|unevaluatedProperties|unevaluatedItems)":/;

/** Validates the value; undefined if it takes too long. A costly validation runs in a thread. */
export async function validateJson(request: SchemaRequest, valueLength: number): Promise<Violation | undefined> {
  const schema = JSON.stringify(request.schema);
  const isBounded = schema.length * valueLength <= inlineWorkMax && !unbounded.test(schema);
  return isBounded ? findViolation(request) : runThread<Violation>({ kind: "schema", request }, timeoutMs);
}
