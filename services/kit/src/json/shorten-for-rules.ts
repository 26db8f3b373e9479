// Shortens a message while its rules are evaluated. Lists and maps over their limit are truncated, since a rule may
// compare all pairs of elements. Objects in free values are emptied: the evaluator copies them, and rules on free
// values test only the kind, and the size of a text.

import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { StructSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { itemsMax, pairsMax } from "./constraints.ts";

type Undo = () => void;

interface FieldPlan {
  readonly field: DescField;
  /** Infinity for a list without a limit, and for a message. */
  readonly max: number;
  /** Plan of the elements or of the message; empty if they contain no limit. */
  readonly inner: Plan;
}

interface Plan {
  fields: readonly FieldPlan[];
}

/**
 * Leaves one element more than the limit, so that it is still violated. Returns a function that restores the message.
 */
export function shortenForRules(desc: DescMessage, message: Message): Undo {
  const undo: Undo[] = [];
  shortenFields(makePlan(desc), message, undo);
  return () => {
    for (const restore of undo) restore();
  };
}

const plans = new WeakMap<DescMessage, Plan>();

function makePlan(desc: DescMessage): Plan {
  const cached = plans.get(desc);
  if (cached !== undefined) return cached;
  const plan: Plan = { fields: [] };
  // Cache the plan before its fields are processed, because types may be recursive.
  plans.set(desc, plan);
  plan.fields = desc.fields
    .filter((field) => hasLimit(field, new Set()))
    .map((field) => ({
      field,
      max: readMax(field),
      inner: field.message === undefined || isFree(field) ? { fields: [] } : makePlan(field.message),
    }));
  return plan;
}

/** Returns true for a single value of any kind. */
function isFree(field: DescField): boolean {
  return field.fieldKind === "message" && field.message.typeName === ValueSchema.typeName;
}

/** Returns true if the field, or a field within it, is a list or map with a limit, or a free value. */
function hasLimit(field: DescField, visited: Set<DescMessage>): boolean {
  if (isFree(field) || Number.isFinite(readMax(field))) return true;
  const { message } = field;
  if (message === undefined || visited.has(message)) return false;
  visited.add(message);
  return message.fields.some((inner) => hasLimit(inner, visited));
}

function readMax(field: DescField): number {
  if (field.fieldKind === "list") return itemsMax(field);
  return field.fieldKind === "map" ? pairsMax(field) : Number.POSITIVE_INFINITY;
}

function shortenFields({ fields }: Plan, message: Message, undo: Undo[]): void {
  const properties: Record<string, unknown> = message;
  for (const { field, max, inner } of fields) {
    const { oneof, localName } = field;
    const group = oneof && (properties[oneof.localName] as { case?: string; value?: unknown });
    const value = group === undefined ? properties[localName] : group.case === localName ? group.value : undefined;
    if (value === undefined) continue;
    if (isFree(field)) {
      emptyObject(value as Value, undo);
      continue;
    }
    if (field.fieldKind === "list" || field.fieldKind === "map") {
      const shortened = field.fieldKind === "list" ? cutList(value as unknown[], max) : cutMap(value as object, max);
      if (shortened !== value) {
        properties[localName] = shortened;
        undo.push(() => (properties[localName] = value));
      }
      if (inner.fields.length > 0)
        for (const each of Object.values(shortened)) shortenFields(inner, each as Message, undo);
    } else if (inner.fields.length > 0) shortenFields(inner, value as Message, undo);
  }
}

function emptyObject(value: Value, undo: Undo[]): void {
  const { kind } = value;
  if (kind.case !== "structValue") return;
  value.kind = { case: "structValue", value: create(StructSchema) };
  undo.push(() => (value.kind = kind));
}

function cutList(list: readonly unknown[], max: number): readonly unknown[] {
  return list.length > max ? list.slice(0, max + 1) : list;
}

function cutMap(map: object, max: number): object {
  if (!Number.isFinite(max)) return map;
  const pairs = Object.entries(map);
  return pairs.length > max ? Object.fromEntries(pairs.slice(0, max + 1)) : map;
}
