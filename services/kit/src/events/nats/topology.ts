// Stream and consumer. They use only features of nats-server 2.9, and stored settings are compared with requested ones,
// since a server silently drops settings that it does not know.

import { setTimeout as delay } from "node:timers/promises";
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import { natsMessageBytesMax } from "../../limits/sizes.ts";
import { subjectRoot } from "../message.ts";

export const streamName = "EMS_EVENTS";
export const consumerName = "notifications-v1";
/** Number of deliveries after which an event becomes a dead letter. */
export const maxDeliver = 20;
export const maxAckPending = 256;

/** Version of the settings below. A lower stored version is updated, a higher one is left unchanged. */
const version = 1;
const subjects = `${subjectRoot}.>`;
const minuteMs = 60_000;
const raceTries = 5;
const raceMs = 50;

function streamSettings(replicas: number) {
  return {
    name: streamName,
    description: `EMS events, configuration ${version}`,
    subjects: [subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full stream rejects new events, which wait in the outboxes, and never drops stored ones.
    discard: DiscardPolicy.New,
    max_age: nanos(7 * 24 * 60 * minuteMs),
    max_bytes: 10 * 1024 ** 3,
    max_msg_size: natsMessageBytesMax,
    duplicate_window: nanos(10 * minuteMs),
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>;
}

const consumerSettings = {
  durable_name: consumerName,
  description: `EMS notifications, configuration ${version}`,
  filter_subject: subjects,
  deliver_policy: DeliverPolicy.All,
  replay_policy: ReplayPolicy.Instant,
  ack_policy: AckPolicy.Explicit,
  // Redelivery delays come with each nak: a `backoff` list would also shorten the first ack wait, to one second.
  ack_wait: nanos(30_000),
  max_ack_pending: maxAckPending,
  max_deliver: maxDeliver,
} satisfies Partial<ConsumerConfig>;

/** Creates or updates the stream. Returns a sentence for each wrong setting. */
export async function ensureStream(jsm: JetStreamManager, replicas: number): Promise<string[]> {
  const settings = streamSettings(replicas);
  const find = () => orMissing(jsm.streams.info(streamName));
  const stored = (await find()) ?? (await createOrFind(jsm.streams.add(settings), find));
  if (isOlder(stored.config) || isScaled(stored.config, replicas)) {
    const { config } = await jsm.streams.update(streamName, settings);
    return differences(`stream ${streamName}`, settings, config);
  }
  return isNewer(stored.config) ? [] : differences(`stream ${streamName}`, settings, stored.config);
}

/** Creates or updates the consumer of an existing stream. Returns a sentence for each wrong setting. */
export async function ensureConsumer(jsm: JetStreamManager): Promise<string[]> {
  const find = () => orMissing(jsm.consumers.info(streamName, consumerName));
  const stored = (await find()) ?? (await createOrFind(jsm.consumers.add(streamName, consumerSettings), find));
  if (isOlder(stored.config)) {
    const { config } = await jsm.consumers.update(streamName, consumerName, consumerSettings);
    return differences(`consumer ${consumerName}`, consumerSettings, config);
  }
  return isNewer(stored.config) ? [] : differences(`consumer ${consumerName}`, consumerSettings, stored.config);
}

/**
 * Creates an object, or finds the existing one. If several processes create it together, the server refuses all but
 * one, because of space or because the name exists.
 */
async function createOrFind<T>(creation: Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await creation;
  } catch (error) {
    for (let tries = 0; tries < raceTries; tries++) {
      const existing = await find();
      if (existing !== undefined) return existing;
      await delay(raceMs);
    }
    throw error;
  }
}

interface Described {
  readonly description?: string;
}

function isOlder(stored: Described): boolean {
  const storedVersion = parseVersion(stored);
  return storedVersion !== undefined && storedVersion < version;
}

function isNewer(stored: Described): boolean {
  const storedVersion = parseVersion(stored);
  return storedVersion !== undefined && storedVersion > version;
}

/** Returns true if the installation's number of replicas differs, which is not part of the version. */
function isScaled(stored: StreamConfig, replicas: number): boolean {
  return parseVersion(stored) === version && stored.num_replicas !== replicas;
}

/** Returns the version of the stored settings; undefined if the product did not create them. */
function parseVersion({ description }: Described): number | undefined {
  const number = /^EMS \w+, configuration (\d+)$/.exec(description ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
}

function differences(what: string, expected: object, stored: object): string[] {
  const actual = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(expected)
    .filter(([key, value]) => JSON.stringify(actual.get(key)) !== JSON.stringify(value))
    .map(([key, value]) => `${what}: ${key} is ${JSON.stringify(actual.get(key))}, not ${JSON.stringify(value)}`);
}

/** Returns undefined if JetStream responds that the requested object does not exist. */
async function orMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns true if JetStream responded that the stream, consumer or message does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}
