// NATS users for other programs of the operator that read events: each with durable consumers of its own, and nothing else.

import { eventTypes } from "@ems/kit/events/event-type";
import { subjectRoot } from "@ems/kit/events/message";
import {
  inboxOf,
  type NatsUserConfiguration,
  type ReaderConsumer,
  readerPermissions,
  subjectsOf,
} from "@ems/kit/events/nats/permissions";

export interface NatsReader {
  /** The user; also the durable name of its consumer, or what the names of its consumers begin with. */
  readonly name: string;
  readonly password: string;
  /** The types that it gets; all but internal ones if there is none. */
  readonly types: readonly string[];
  /** The application whose events it gets; all applications' if undefined. */
  readonly applicationId?: string | undefined;
}

/** Lower case, as in host names; without `_`, which separates it from a type. */
const namePattern = /^[a-z][a-z0-9-]{0,62}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Names of the processes' users and of notifications' consumer begin so. */
const reserved = ["ems", "notifications"];

/** What is wrong with the reader; undefined when nothing is. */
export function readerFault({ name, types, applicationId }: Omit<NatsReader, "password">): string | undefined {
  if (!namePattern.test(name))
    return "the name has letters from a to z, digits and -, begins with a letter, and has at most 63";
  if (reserved.some((prefix) => name.startsWith(prefix)))
    return `the name must not begin with ${reserved.join(" or ")}`;
  if (applicationId !== undefined && !uuid.test(applicationId))
    return "the application must be an id (a UUID in lower case)";
  const publicNames = publicTypes();
  const unknown = types.filter((type) => !publicNames.includes(type));
  return unknown.length === 0 ? undefined : `unknown types: ${unknown.join(", ")}. There are ${publicNames.join(", ")}`;
}

function publicTypes(): string[] {
  return eventTypes.filter(({ isInternal }) => !isInternal).map(({ type }) => type);
}

/**
 * One consumer for everything, or one for each type. A consumer with several filters would have to be allowed all subjects:
 * NATS checks the one filter that is part of the request's subject, and no others.
 */
export function consumersOf({ name, types, applicationId = "*" }: Omit<NatsReader, "password">): ReaderConsumer[] {
  if (types.length === 0) {
    return [{ name, filter: applicationId === "*" ? `${subjectRoot}.>` : `${subjectRoot}.*.*.*.${applicationId}` }];
  }
  return types.map((type) => ({
    name: `${name}_${type.replace(".", "_")}`,
    filter: subjectsOf(type, applicationId),
  }));
}

export function readerConfiguration(reader: NatsReader): NatsUserConfiguration {
  const may = readerPermissions(reader.name, consumersOf(reader));
  return { user: reader.name, password: JSON.stringify(reader.password), may };
}

export { inboxOf };
