import { create, type DescField, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { EventSchema } from "@ems/proto/events/v1/event";
import { resourceBytesMax, sizeText } from "@ems/proto/limits";
import type { Clock } from "../clock.ts";
import type { Transaction } from "../db/transaction.ts";
import { tooLarge } from "../errors.ts";
import type { NewId } from "../id.ts";
import { writeJson } from "../json/write.ts";
import { eventBytesMax } from "../limits/sizes.ts";
import { currentTraceparent } from "../telemetry/trace.ts";
import type { Tenant } from "../tenant.ts";
import { eventTypeOfField } from "./event-type.ts";
import { subjectOf } from "./message.ts";
import { outboxEntity } from "./outbox.ts";

/** What happened: a member of the event's oneof. */
export type Fact = Extract<NonNullable<MessageInitShape<typeof EventSchema>["data"]>, { case: string }>;

/** Inserts an event into the outbox, in the transaction of the change. */
export type Publish = (tx: Transaction, tenant: Tenant, fact: Fact) => Promise<void>;

/** Inserts many events of one change with one statement. */
export type PublishAll = (tx: Transaction, tenant: Tenant, facts: readonly Fact[]) => Promise<void>;

export interface PublisherDeps {
  readonly clock: Clock;
  readonly newId: NewId;
}

export function publisher(service: string, deps: PublisherDeps): Publish {
  const publishAll = bulkPublisher(service, deps);
  return (tx, tenant, fact) => publishAll(tx, tenant, [fact]);
}

export function bulkPublisher(service: string, { clock, newId }: PublisherDeps): PublishAll {
  const outbox = outboxEntity(service);
  return async (tx, { applicationId, orgId }, facts) => {
    if (facts.length === 0) return;
    const occurredAt = clock.now();
    const events = facts.map((fact) => eventOf(fact, { id: newId(), occurredAt, applicationId, orgId }));
    for (const { type, payload } of events) {
      assertFits(payload, type.endsWith(".created") ? resourceBytesMax : eventBytesMax);
    }
    const traceparent = currentTraceparent() ?? null;
    tx.wakeRelay();
    await tx.insert(
      outbox,
      events.map((event) => {
        const subject = subjectOf(service, event.type, applicationId);
        return { ...event, applicationId, orgId, subject, traceparent, occurredAt };
      }),
    );
  };
}

interface Occurrence extends Pick<Tenant, "applicationId" | "orgId"> {
  readonly id: string;
  readonly occurredAt: Date;
}

/** An event's type and its JSON, exactly as receivers get it. */
export function eventOf(fact: Fact, { id, occurredAt, applicationId, orgId }: Occurrence) {
  const { type, field } = eventTypeOfField(fact.case);
  const timestamp = occurredAt.toISOString();
  return {
    id,
    type,
    payload: JSON.stringify({ id, type, timestamp, applicationId, orgId, data: dataOf(field, fact) }),
  };
}

/** For a change without an event: refuses a resource that a later event could not carry. */
export function assertResourceFits<Desc extends DescMessage>(desc: Desc, resource: MessageInitShape<Desc>): void {
  assertFits(JSON.stringify(writeJson(desc, create(desc, resource))), resourceBytesMax);
}

function dataOf(field: DescField, fact: Fact) {
  // The oneof has messages only, and the fact's value belongs to its case.
  const desc = field.message as DescMessage;
  return writeJson(desc, create(desc, fact.value));
}

function assertFits(json: string, bytesMax: number): void {
  if (Buffer.byteLength(json) <= bytesMax) return;
  throw tooLarge(`The resource is too large: with all its fields it may have ${sizeText(resourceBytesMax)}`);
}
