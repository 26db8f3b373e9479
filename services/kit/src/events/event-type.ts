import { type DescField, getOption } from "@bufbuild/protobuf";
import { EventSchema, internal, published_by, type as typeOption } from "@ems/proto/events/v1/event";

/** A type of event, as the contract declares it. */
export interface EventType {
  readonly field: DescField;
  /** It stays between services: no webhook gets it. */
  readonly isInternal: boolean;
  /** The service that publishes it. */
  readonly publisher: string;
}

const eventTypes: ReadonlyMap<string, EventType> = new Map(
  EventSchema.fields
    .filter((field) => field.oneof !== undefined)
    .map((field) => [
      getOption(field, typeOption),
      { field, isInternal: getOption(field, internal), publisher: getOption(field, published_by) },
    ]),
);

/** The declaration of `type`, such as `topic.created`; undefined when the contract has none. */
export function eventType(type: string): EventType | undefined {
  return eventTypes.get(type);
}
