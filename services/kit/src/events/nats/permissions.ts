// Permissions of NATS users by role: publisher, listener or consumer. With one process's password nobody can publish as
// another process or read another's replies.

import { eventType } from "../event-type.ts";
import { subjectRoot } from "../message.ts";
import { consumerName, streamName } from "./topology.ts";

export interface NatsPermissions {
  /** Subjects, with wildcards. */
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** A user as nats-server reads it in its configuration. */
export interface NatsUserConfiguration {
  readonly user: string;
  /** A quoted text, or a variable. */
  readonly password: string;
  readonly may: NatsPermissions;
}

/** Prefix of a user's own reply subjects. Below NATS's default, so that permissions for that cover it. */
export function inboxOf(user: string): string {
  return `_INBOX.${user}`;
}

/** Subjects of all events of a type, which one service publishes; of one application if given. */
export function subjectsOf(type: string, applicationId = "*"): string {
  return `${subjectRoot}.${eventType(type)?.publisher ?? "*"}.${type}.${applicationId}`;
}

/** Publishes the events of `service`. */
export function publisherPermissions(service: string, user: string): NatsPermissions {
  return { publish: [`${subjectRoot}.${service}.>`], subscribe: [`${inboxOf(user)}.>`] };
}

/** Creates the stream and the consumer, and consumes. */
export function consumerPermissions(user: string): NatsPermissions {
  const api = "$JS.API";
  const publish = [
    ...["INFO", "CREATE", "UPDATE", "MSG.GET"].map((verb) => `${api}.STREAM.${verb}.${streamName}`),
    `${api}.CONSUMER.INFO.${streamName}.${consumerName}`,
    `${api}.CONSUMER.CREATE.${streamName}.${consumerName}.${subjectRoot}.>`,
    `${api}.CONSUMER.MSG.NEXT.${streamName}.${consumerName}`,
    `$JS.ACK.${streamName}.${consumerName}.>`,
  ];
  return { publish, subscribe: [`${inboxOf(user)}.>`] };
}

/** A pull consumer with a durable name, which gets the events of subjects. */
export interface ReaderConsumer {
  readonly name: string;
  /** Subjects, with wildcards. */
  readonly filter: string;
}

/**
 * Creates its own consumers of the stream with exactly these filters, and consumes. It can publish nothing of its own; NATS
 * does not check where a request has its answer sent, so that copies of events that it reads may arrive anywhere.
 */
export function readerPermissions(user: string, consumers: readonly ReaderConsumer[]): NatsPermissions {
  const publish = consumers.flatMap(({ name, filter }) => [
    `$JS.API.CONSUMER.CREATE.${streamName}.${name}.${filter}`,
    `$JS.API.CONSUMER.INFO.${streamName}.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.${streamName}.${name}`,
    `$JS.ACK.${streamName}.${name}.>`,
  ]);
  return { publish, subscribe: [`${inboxOf(user)}.>`] };
}

/** Listens to events of a type as they are published. */
export function listenerPermissions(type: string): NatsPermissions {
  return { publish: [], subscribe: [subjectsOf(type)] };
}

export function mergePermissions(parts: readonly NatsPermissions[]): NatsPermissions {
  const each = (kind: keyof NatsPermissions) => [...new Set(parts.flatMap((part) => part[kind]))];
  return { publish: each("publish"), subscribe: each("subscribe") };
}

/** The `authorization` block of nats-server's configuration. */
export function usersConfiguration(users: readonly NatsUserConfiguration[]): string {
  return `authorization {\n  users: [\n${users.map(userConfiguration).join("\n")}\n  ]\n}`;
}

/** An entry of its `users`. */
export function userConfiguration({ user, password, may }: NatsUserConfiguration): string {
  return `    {
      user: ${JSON.stringify(user)}, password: ${password}
      permissions {
        publish ${allowBlock(may.publish)}
        subscribe ${allowBlock(may.subscribe)}
      }
    }`;
}

/** An empty `allow` list would allow everything. */
function allowBlock(subjects: readonly string[]): string {
  if (subjects.length === 0) return '{ deny: ">" }';
  return `{\n          allow: [${subjects.map((subject) => `\n            ${JSON.stringify(subject)}`).join("")}\n          ]\n        }`;
}
