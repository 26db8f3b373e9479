// What a user of NATS may do, by its part in events: tell its own, hear some, or take all in. Whoever holds one process's
// password can neither speak for another nor read what another is answered.

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
  /** As it is to stand there: a quoted text, or a variable. */
  readonly password: string;
  readonly may: NatsPermissions;
}

/** Subjects below it are a user's own, for answers. Below NATS's usual one, so that who may hear all of that may hear these. */
export function inboxOf(user: string): string {
  return `_INBOX.${user}`;
}

/** Subjects of all events of a type, which one service tells. */
export function subjectsOf(type: string): string {
  return `${subjectRoot}.${eventType(type)?.publisher ?? "*"}.${type}.*`;
}

/** Tells the events of `service`. */
export function publisherPermissions(service: string, user: string): NatsPermissions {
  return { publish: [`${subjectRoot}.${service}.>`], subscribe: [`${inboxOf(user)}.>`] };
}

/** Makes the stream and the consumer, and takes events in. */
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

/** Hears events of a type as they are told. */
export function listenerPermissions(type: string): NatsPermissions {
  return { publish: [], subscribe: [subjectsOf(type)] };
}

export function mergePermissions(parts: readonly NatsPermissions[]): NatsPermissions {
  const each = (kind: keyof NatsPermissions) => [...new Set(parts.flatMap((part) => part[kind]))];
  return { publish: each("publish"), subscribe: each("subscribe") };
}

/** The part of nats-server's configuration that says who may connect. */
export function usersConfiguration(users: readonly NatsUserConfiguration[]): string {
  const texts = users.map(
    ({ user, password, may }) => `    {
      user: ${JSON.stringify(user)}, password: ${password}
      permissions {
        publish ${allowing(may.publish)}
        subscribe ${allowing(may.subscribe)}
      }
    }`,
  );
  return `authorization {\n  users: [\n${texts.join("\n")}\n  ]\n}`;
}

/** An empty list would allow everything. */
function allowing(subjects: readonly string[]): string {
  if (subjects.length === 0) return '{ deny: ">" }';
  return `{\n          allow: [${subjects.map((subject) => `\n            ${JSON.stringify(subject)}`).join("")}\n          ]\n        }`;
}
