// NATS users for operators' programs that read events. Each user has its own durable consumers and no other rights.

import { eventTypes } from "@ems/kit/events/event-type";
import { subjectRoot } from "@ems/kit/events/message";
import {
  buildSubjects,
  getInboxPrefix,
  type NatsUserConfiguration,
  type ReaderConsumer,
  readerPermissions,
} from "@ems/kit/events/nats/permissions";

export interface NatsReader {
  /** User name. Also the durable name of the user's consumer, or the prefix of its consumers' names. */
  readonly name: string;
  readonly password: string;
  /** Event types that the user reads; if empty, all public types. */
  readonly types: readonly string[];
  /** Application whose events the user reads; undefined for all applications. */
  readonly applicationId?: string | undefined;
}

/** Lower case, as in host names. Without `_`, which separates the name from an event type in consumers' names. */
const namePattern = /^[a-z][a-z0-9-]{0,62}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Name prefixes of the processes' users and of the consumer of notifications. */
const reserved = ["ems", "notifications"];

/** Returns an error message for an invalid reader; undefined if the reader is valid. */
export function readerFault({ name, types, applicationId }: Omit<NatsReader, "password">): string | undefined {
  if (!namePattern.test(name))
    return "the name must begin with a letter and have at most 63 letters from a to z, digits and -";
  if (reserved.some((prefix) => name.startsWith(prefix)))
    return `the name must not begin with ${reserved.join(" or ")}`;
  if (applicationId !== undefined && !uuid.test(applicationId))
    return "the application must be an id (a UUID in lower case)";
  const publicNames = publicTypes();
  const unknown = types.filter((type) => !publicNames.includes(type));
  return unknown.length === 0
    ? undefined
    : `unknown types: ${unknown.join(", ")}. Valid types: ${publicNames.join(", ")}`;
}

function publicTypes(): string[] {
  return eventTypes.filter(({ isInternal }) => !isInternal).map(({ type }) => type);
}

/**
 * Lists one consumer for all events, or one per type. A consumer with several filters would need permission for all
 * subjects, because NATS checks only a single filter, which is in the request's subject.
 */
export function listConsumers({ name, types, applicationId = "*" }: Omit<NatsReader, "password">): ReaderConsumer[] {
  if (types.length === 0) {
    return [{ name, filter: applicationId === "*" ? `${subjectRoot}.>` : `${subjectRoot}.*.*.*.${applicationId}` }];
  }
  return types.map((type) => ({
    name: `${name}_${type.replace(".", "_")}`,
    filter: buildSubjects(type, applicationId),
  }));
}

export function readerConfiguration(reader: NatsReader): NatsUserConfiguration {
  const may = readerPermissions(reader.name, listConsumers(reader));
  return { user: reader.name, password: JSON.stringify(reader.password), may };
}

export { getInboxPrefix };
