// Permissions of NATS users by role: publisher, listener or consumer. The password of one process does not allow
// publishing as another process, or reading another's replies.

import { eventType } from "../event-type.ts";
import { subjectRoot } from "../message.ts";
import { consumerName, streamName } from "./topology.ts";

export interface NatsPermissions {
  /** Subjects to which the user may publish, with wildcards. */
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** A user in nats-server's configuration. */
export interface NatsUserConfiguration {
  readonly user: string;
  /** Password in the form of the file: a quoted text, or a variable. */
  readonly password: string;
  readonly may: NatsPermissions;
}

/**
 * Returns the prefix of a user's reply subjects. It begins with NATS's default prefix, so that permissions for the
 * default cover it.
 */
export function getInboxPrefix(user: string): string {
  return `_INBOX.${user}`;
}

/** Returns the subjects of all events of a type, which one service publishes; optionally of one application. */
export function buildSubjects(type: string, applicationId = "*"): string {
  return `${subjectRoot}.${eventType(type)?.publisher ?? "*"}.${type}.${applicationId}`;
}

/** Permissions to publish the events of `service`. */
export function publisherPermissions(service: string, user: string): NatsPermissions {
  return { publish: [`${subjectRoot}.${service}.>`], subscribe: [`${getInboxPrefix(user)}.>`] };
}

/** Permissions to create the stream and the consumer, and to consume. */
export function consumerPermissions(user: string): NatsPermissions {
  const api = "$JS.API";
  const publish = [
    ...["INFO", "CREATE", "UPDATE", "MSG.GET"].map((verb) => `${api}.STREAM.${verb}.${streamName}`),
    `${api}.CONSUMER.INFO.${streamName}.${consumerName}`,
    `${api}.CONSUMER.CREATE.${streamName}.${consumerName}.${subjectRoot}.>`,
    `${api}.CONSUMER.MSG.NEXT.${streamName}.${consumerName}`,
    `$JS.ACK.${streamName}.${consumerName}.>`,
  ];
  return { publish, subscribe: [`${getInboxPrefix(user)}.>`] };
}

/** A durable pull consumer for the events of some subjects. */
export interface ReaderConsumer {
  readonly name: string;
  /** Subjects of the events, with wildcards. */
  readonly filter: string;
}

/**
 * Permissions to create consumers of the stream with exactly these filters, and to consume. The user can publish no
 * events. NATS does not check the reply subject of a request, so copies of events that the user may read can be sent to
 * any subject.
 */
export function readerPermissions(user: string, consumers: readonly ReaderConsumer[]): NatsPermissions {
  const publish = consumers.flatMap(({ name, filter }) => [
    `$JS.API.CONSUMER.CREATE.${streamName}.${name}.${filter}`,
    `$JS.API.CONSUMER.INFO.${streamName}.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.${streamName}.${name}`,
    `$JS.ACK.${streamName}.${name}.>`,
  ]);
  return { publish, subscribe: [`${getInboxPrefix(user)}.>`] };
}

/** Permissions to listen to events of a type when they are published. */
export function listenerPermissions(type: string): NatsPermissions {
  return { publish: [], subscribe: [buildSubjects(type)] };
}

export function mergePermissions(parts: readonly NatsPermissions[]): NatsPermissions {
  const each = (kind: keyof NatsPermissions) => [...new Set(parts.flatMap((part) => part[kind]))];
  return { publish: each("publish"), subscribe: each("subscribe") };
}

/** Formats the `authorization` block of nats-server's configuration. */
export function usersConfiguration(users: readonly NatsUserConfiguration[]): string {
  return `authorization {\n  users: [\n${users.map(userConfiguration).join("\n")}\n  ]\n}`;
}

/** Formats an entry of `users`. */
export function userConfiguration({ user, password, may }: NatsUserConfiguration): string {
  return `    {
      user: ${JSON.stringify(user)}, password: ${password}
      permissions {
        publish ${allowBlock(may.publish)}
        subscribe ${allowBlock(may.subscribe)}
      }
    }`;
}

/** Formats a list; an empty `allow` list would allow everything. */
function allowBlock(subjects: readonly string[]): string {
  if (subjects.length === 0) return '{ deny: ">" }';
  return `{\n          allow: [${subjects.map((subject) => `\n            ${JSON.stringify(subject)}`).join("")}\n          ]\n        }`;
}
