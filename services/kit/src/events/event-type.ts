import { type DescField, getOption } from "@bufbuild/protobuf";
import { EventSchema, internal, published_by, type as typeOption } from "@ems/proto/events/v1/event";

/** A type of event declared by the contract. */
export interface EventType {
  /** Type: `resource.action`, such as `topic.created`. */
  readonly type: string;
  readonly field: DescField;
  /** True if the event stays between services and is not sent to webhooks. */
  readonly isInternal: boolean;
  /** Service that publishes the event. */
  readonly publisher: string;
}

// Read once: reading an option takes longer than writing an event.
export const eventTypes: readonly EventType[] = EventSchema.fields
  .filter((field) => field.oneof !== undefined)
  .map((field) => ({
    type: getOption(field, typeOption),
    field,
    isInternal: getOption(field, internal),
    publisher: getOption(field, published_by),
  }));
const byType: ReadonlyMap<string, EventType> = new Map(eventTypes.map((declared) => [declared.type, declared]));
const byField: ReadonlyMap<string, EventType> = new Map(
  eventTypes.map((declared) => [declared.field.localName, declared]),
);

/** Returns the declaration of `type`, such as `topic.created`; undefined if the contract has none. */
export function eventType(type: string): EventType | undefined {
  return byType.get(type);
}

/** Returns the declaration of the event in the field `topicCreated`, for example, of the contract's oneof. */
export function eventTypeOfField(name: string): EventType {
  const found = byField.get(name);
  if (found === undefined) throw new Error(`${EventSchema.typeName} has no event ${name}`);
  return found;
}
