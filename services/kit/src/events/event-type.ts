import { type DescField, getOption } from "@bufbuild/protobuf";
import { EventSchema, internal, told_by, type as typeOption } from "@ems/proto/events/v1/event";

/** A kind of event, as the contract has it. */
export interface Kind {
  readonly field: DescField;
  /** Whether it stays between services: no webhook gets it. */
  readonly isInternal: boolean;
  /** The service that tells it. */
  readonly toldBy: string;
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  EventSchema.fields
    .filter((field) => field.oneof !== undefined)
    .map((field) => [
      getOption(field, typeOption),
      { field, isInternal: getOption(field, internal), toldBy: getOption(field, told_by) },
    ]),
);

/** The kind of events of that type; undefined when the contract has none. */
export function kindOf(type: string): Kind | undefined {
  return kinds.get(type);
}
