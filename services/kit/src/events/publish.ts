import { create, type DescMessage, getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { EventSchema, type as typeOption } from "@ems/proto/events/v1/event";
import type { EntityManager } from "typeorm";
import type { Clock } from "../clock.ts";
import { tooLarge } from "../errors.ts";
import type { NewId } from "../id.ts";
import { writeJson } from "../json/write.ts";
import type { Tenant } from "../tenant.ts";
import { outboxEntity } from "./outbox.ts";

/** What happened: a member of the event's oneof. */
export type Fact = Extract<NonNullable<MessageInitShape<typeof EventSchema>["data"]>, { case: string }>;

/** Writes what happened to the outbox of the service, in the transaction of `manager`. */
export type Publish = (manager: EntityManager, tenant: Tenant, fact: Fact) => Promise<void>;

/** The largest event, in bytes of its JSON: it has to fit a NATS message with room for headers. */
const payloadBytesMax = 128 * 1024;

export function publisher(service: string, { clock, newId }: { clock: Clock; newId: NewId }): Publish {
  const outbox = outboxEntity(service);
  return async (manager, { applicationId, orgId }, fact) => {
    const field = EventSchema.field[fact.case];
    const type = getOption(field, typeOption);
    const id = newId();
    const occurredAt = clock.now();
    // The oneof has messages only, and the fact's value belongs to its case.
    const data = writeJson(field.message as DescMessage, create(field.message as DescMessage, fact.value));
    const payload = JSON.stringify({ id, type, timestamp: occurredAt.toISOString(), applicationId, orgId, data });
    if (Buffer.byteLength(payload) > payloadBytesMax) {
      throw tooLarge("The resource is too large: with all its fields it may have 128 KiB");
    }
    const subject = `ems.v1.evt.${service}.${type}.${applicationId}`;
    await manager.insert(outbox, { id, applicationId, orgId, type, subject, payload, occurredAt });
  };
}
