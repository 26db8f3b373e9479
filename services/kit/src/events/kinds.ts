import { type DescField, getOption } from "@bufbuild/protobuf";
import { EventSchema, internal, type as typeOption } from "@ems/proto/events/v1/event";

/** A kind of event, as the contract has it. */
export interface Kind {
  readonly field: DescField;
  /** Whether it stays between services: no webhook gets it. */
  readonly isInternal: boolean;
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  EventSchema.fields
    .filter((field) => field.oneof !== undefined)
    .map((field) => [getOption(field, typeOption), { field, isInternal: getOption(field, internal) }]),
);

/** The kind of events of that type; undefined when the contract has none. */
export function kindOf(type: string): Kind | undefined {
  return kinds.get(type);
}
