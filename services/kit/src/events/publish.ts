import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { Event } from "@ems/proto/events/v1/event";
import { resourceBytesMax, sizeText } from "@ems/proto/limits";
import type { Clock } from "../clock.ts";
import type { Transaction } from "../db/transaction.ts";
import { tooLarge } from "../errors.ts";
import type { NewId } from "../id.ts";
import { writeJson } from "../json/write.ts";
import { eventBytesMax, eventMessageBytesMax } from "../limits/sizes.ts";
import { currentTraceparent } from "../telemetry/trace.ts";
import type { Tenant } from "../tenant.ts";
import { eventBytes, eventJson, type Fact, toEvent, typeOfFact } from "./content.ts";
import { buildSubject } from "./message.ts";
import { outboxEntity } from "./outbox.ts";

type EventOwner = Pick<Tenant, "applicationId" | "orgId"> & Partial<Tenant>;

/** Inserts an event into the outbox, in the transaction of the change. */
export type Publish = (tx: Transaction, tenant: EventOwner, fact: Fact) => Promise<void>;

/** Inserts many events of one change with one statement. */
export type PublishAll = (tx: Transaction, tenant: EventOwner, facts: readonly Fact[]) => Promise<void>;

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
    const traceparent = currentTraceparent() ?? null;
    const rows = facts.map((fact) => {
      const id = newId();
      const type = typeOfFact(fact);
      const message = encode(toEvent(fact, { id, occurredAt, applicationId, orgId }), type);
      const subject = buildSubject(service, type, applicationId);
      return { id, type, applicationId, orgId, subject, message, traceparent, occurredAt };
    });
    tx.wakeRelay();
    await tx.insert(outbox, rows);
  };
}

/** A smaller event, in bytes, is within every limit as JSON, too: its JSON is not built for the check. */
const smallBytes = 2_048;

function encode(event: Event, type: string): Uint8Array {
  const message = eventBytes(event);
  if (message.length > smallBytes) {
    assertFits(eventJson(event), type.endsWith(".created") ? resourceBytesMax : eventBytesMax);
    // Check the binary form as well, because numbers in free JSON are longer in it.
    if (message.length > eventMessageBytesMax) throw resourceTooLarge();
  }
  return message;
}

/** For a change without an event: rejects a resource that would not fit into a later event. */
export function assertResourceFits<Desc extends DescMessage>(desc: Desc, resource: MessageInitShape<Desc>): void {
  assertFits(JSON.stringify(writeJson(desc, create(desc, resource))), resourceBytesMax);
}

function assertFits(json: string, bytesMax: number): void {
  if (Buffer.byteLength(json) > bytesMax) throw resourceTooLarge();
}

function resourceTooLarge() {
  return tooLarge(`The resource is too large: the maximum with all fields is ${sizeText(resourceBytesMax)}`);
}
