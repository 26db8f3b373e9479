// NATS users for the operator's programs that read events. Each has its own durable consumers and no other rights.

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
  /** User name; also the durable name of its consumer, or the prefix of its consumers' names. */
  readonly name: string;
  readonly password: string;
  /** Event types; if empty, all public types. */
  readonly types: readonly string[];
  /** Application whose events it reads; undefined for all applications. */
  readonly applicationId?: string | undefined;
}

/** Lower case, as in host names. `_` is excluded: it separates the name from a type. */
const namePattern = /^[a-z][a-z0-9-]{0,62}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Prefixes of the processes' users and of notifications' consumer. */
const reserved = ["ems", "notifications"];

/** Returns the error in the reader, or undefined if it is valid. */
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
 * Lists one consumer for all events, or one per type. A consumer with several filters would need permission for all subjects:
 * NATS checks only the filter in the request's subject.
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
