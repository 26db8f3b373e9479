// Where in a message a violation lies: its path as JSON spells it, the field, and the value when the message is at hand.

import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import type { Violation } from "@bufbuild/protovalidate";
import type { FieldPath } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Part } from "./constraints.ts";
import { isInline } from "./value-kind.ts";

export interface Place {
  path: string[];
  /** The innermost field of the path, and what of it is meant. */
  field?: DescField | undefined;
  part: Part;
  /** The type of the message that the path ends in, if it does. */
  message?: DescMessage | undefined;
  /** The group of that message's fields that is meant. */
  oneof?: DescOneof | undefined;
  /** undefined when it is not known. */
  value?: unknown;
}

/** One step of a path: the proto name of a field or oneof, or what picks an element of a list or map. */
type Step = { name: string } | { key: string };

export function placeOf({ field, forKey }: Violation, desc: DescMessage, message?: Message): Place {
  const steps = field.map((element): Step => {
    if (element.kind === "list_sub") return { key: String(element.index) };
    return element.kind === "map_sub" ? { key: String(element.key) } : { name: element.name };
  });
  return follow(steps, forKey, desc, message);
}

/** The same from the form that a violation has on the wire. Names that `desc` does not know stay as they are. */
export function placeOfPath(
  path: FieldPath | undefined,
  forKey: boolean,
  desc?: DescMessage,
  message?: Message,
): Place {
  const steps = (path?.elements ?? []).flatMap(({ fieldName, subscript }): Step[] => {
    const name = { name: fieldName };
    return subscript.case === undefined ? [name] : [name, { key: String(subscript.value) }];
  });
  return follow(steps, forKey, desc, message);
}

/**
 * The field that a rule over several fields is about: the id of such a rule may start with its path, as
 * `style_guide_id.needed` does. Otherwise, or when a field is named already, the place stays as it is.
 */
export function placeOfRule(ruleId: string, place: Place, desc?: DescMessage, message?: Message): Place {
  if (place.path.length > 0 || ruleId === "message.oneof") return place;
  const steps: Step[] = [];
  let within = desc;
  for (const name of ruleId.split(".")) {
    const field: DescField | undefined = within?.fields.find((candidate) => candidate.name === name);
    if (field === undefined) break;
    steps.push({ name });
    within = field.fieldKind === "message" ? field.message : undefined;
  }
  return steps.length === 0 ? place : follow(steps, false, desc, message);
}

function follow(steps: readonly Step[], forKey: boolean, desc?: DescMessage, message?: Message): Place {
  const place: Place = { path: [], part: "field", message: desc, value: message };
  for (const step of steps) {
    if ("key" in step) {
      place.path.push(step.key);
      place.part = place.field?.fieldKind === "map" ? "values" : "items";
      place.value = isHolder(place.value) ? place.value[step.key] : undefined;
      continue;
    }
    place.oneof = place.message?.oneofs.find(({ name }) => name === step.name);
    // A oneof has no name in JSON: the message that holds it is meant.
    if (place.oneof !== undefined) break;
    place.field = place.message?.fields.find(({ name }) => name === step.name);
    place.part = "field";
    // What holds it is in JSON the field's own value.
    const isUnnamed = place.message !== undefined && place.path.length > 0 && isInline(place.message);
    if (!isUnnamed) place.path.push(place.field?.jsonName ?? step.name);
    place.value = place.field && isHolder(place.value) ? memberOf(place.value, place.field) : undefined;
    place.message = place.field?.message;
  }
  return forKey ? { ...place, part: "keys", value: place.path.at(-1) } : place;
}

function memberOf(message: Record<string, unknown>, { localName, oneof }: DescField): unknown {
  if (oneof === undefined) return message[localName];
  const group = message[oneof.localName];
  return isHolder(group) && group.case === localName ? group.value : undefined;
}

/** A message, list or map: something with values by name. */
function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
