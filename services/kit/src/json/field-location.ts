// Location of a violation in a message: its JSON path, the field, and the value if the message is available.

import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import type { Violation } from "@bufbuild/protovalidate";
import type { FieldPath } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Part } from "./constraints.ts";
import { isInline } from "./value-kind.ts";

export interface FieldLocation {
  path: string[];
  /** Innermost field of the path; `part` is the part of the field. */
  field?: DescField | undefined;
  part: Part;
  /** Type of the message at the end of the path, if there is one. */
  message?: DescMessage | undefined;
  /** Oneof of that message, if the violation is about one. */
  oneof?: DescOneof | undefined;
  /** Value of the field; undefined if unknown. */
  value?: unknown;
}

/** A step of a path: the proto name of a field or oneof, or the key or index of an element. */
type Step = { name: string } | { key: string };

export function locateViolation({ field, forKey }: Violation, desc: DescMessage, message?: Message): FieldLocation {
  const steps = field.map((element): Step => {
    if (element.kind === "list_sub") return { key: String(element.index) };
    return element.kind === "map_sub" ? { key: String(element.key) } : { name: element.name };
  });
  return follow(steps, forKey, desc, message);
}

/** Locates a violation received from a service. Names unknown to `desc` stay unchanged. */
export function locatePath(
  path: FieldPath | undefined,
  forKey: boolean,
  desc?: DescMessage,
  message?: Message,
): FieldLocation {
  const steps = (path?.elements ?? []).flatMap(({ fieldName, subscript }): Step[] => {
    const name = { name: fieldName };
    return subscript.case === undefined ? [name] : [name, { key: String(subscript.value) }];
  });
  return follow(steps, forKey, desc, message);
}

/**
 * Returns the location of a message rule whose id starts with a field's path, such as `style_guide_id.needed`; for any
 * other rule, returns `location` unchanged.
 */
export function locateRule(
  ruleId: string,
  location: FieldLocation,
  desc?: DescMessage,
  message?: Message,
): FieldLocation {
  if (location.path.length > 0 || ruleId === "message.oneof") return location;
  const steps: Step[] = [];
  let within = desc;
  for (const name of ruleId.split(".")) {
    const field: DescField | undefined = within?.fields.find((candidate) => candidate.name === name);
    if (field === undefined) break;
    steps.push({ name });
    within = field.fieldKind === "message" ? field.message : undefined;
  }
  return steps.length === 0 ? location : follow(steps, false, desc, message);
}

function follow(steps: readonly Step[], forKey: boolean, desc?: DescMessage, message?: Message): FieldLocation {
  const location: FieldLocation = { path: [], part: "field", message: desc, value: message };
  for (const step of steps) {
    if ("key" in step) {
      location.path.push(step.key);
      location.part = location.field?.fieldKind === "map" ? "values" : "items";
      location.value = isContainer(location.value) ? location.value[step.key] : undefined;
      continue;
    }
    location.oneof = location.message?.oneofs.find(({ name }) => name === step.name);
    // A oneof has no name in JSON: its path is that of the message.
    if (location.oneof !== undefined) break;
    location.field = location.message?.fields.find(({ name }) => name === step.name);
    location.part = "field";
    // The field of an inline message has no name in JSON.
    const isUnnamed = location.message !== undefined && location.path.length > 0 && isInline(location.message);
    if (!isUnnamed) location.path.push(location.field?.jsonName ?? step.name);
    location.value =
      location.field && isContainer(location.value) ? getMember(location.value, location.field) : undefined;
    location.message = location.field?.message;
  }
  return forKey ? { ...location, part: "keys", value: location.path.at(-1) } : location;
}

function getMember(message: Record<string, unknown>, { localName, oneof }: DescField): unknown {
  if (oneof === undefined) return message[localName];
  const group = message[oneof.localName];
  return isContainer(group) && group.case === localName ? group.value : undefined;
}

/** Returns true for a message, list or map. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
