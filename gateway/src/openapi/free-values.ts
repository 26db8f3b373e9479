// JSON Schema of a google.protobuf.Value: the kinds of values that its CEL rules accept, found by trying samples of
// each.

import { create, type DescField, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { toValue } from "@ems/kit/json/free-value";
import { findViolations } from "@ems/kit/json/validate";

const uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
const samples: Readonly<Record<string, readonly JsonValue[]>> = {
  string: ["text", uuid],
  number: [0.5],
  integer: [1],
  boolean: [true],
  object: [{}],
  array: [[], [1], ["text"]],
  null: [null],
};
const lengthMax = 100_000;

/** Returns the schema; empty, which allows everything, for a value without rules. */
export function freeValueSchema(field: DescField): JsonObject {
  const accepts = (value: JsonValue) => isAccepted(field, value);
  const accepted = Object.keys(samples).filter((type) => samples[type]?.some(accepts));
  // An integer is also a number, and a rule may require contents that no sample has.
  if (accepted.length === Object.keys(samples).length || accepted.length === 0) return {};
  const types = accepted.filter((type) => type !== "integer" || !accepted.includes("number"));
  return {
    type: types.length === 1 ? (types[0] ?? null) : types,
    ...(types.includes("string") && textKeywords(accepts)),
    // Client generators need the type of the items.
    ...(types.includes("array") && { items: accepts(["text"]) && !accepts([1]) ? { type: "string" } : {} }),
  };
}

function textKeywords(accepts: (value: JsonValue) => boolean): JsonObject {
  if (!accepts("text")) return { format: "uuid" };
  const isLimited = !accepts("x".repeat(lengthMax));
  return { ...(!accepts("") && { minLength: 1 }), ...(isLimited && { maxLength: longest(accepts) }) };
}

/** Finds the maximum length by bisection; the rules accept a text of 4 characters. */
function longest(accepts: (value: JsonValue) => boolean): number {
  let [accepted, refused] = [4, lengthMax];
  while (refused - accepted > 1) {
    const length = Math.floor((accepted + refused) / 2);
    if (accepts("x".repeat(length))) accepted = length;
    else refused = length;
  }
  return accepted;
}

function isAccepted(field: DescField, json: JsonValue): boolean {
  const { parent, localName, oneof } = field;
  const value = toValue(json);
  const properties = oneof === undefined ? { [localName]: value } : { [oneof.localName]: { case: localName, value } };
  return findViolations(parent, create(parent, properties)).every(({ field: [first] }) => first !== field);
}
