// The stream and the consumer that events go through. Only what nats-server 2.9 knows is asked for: an older server drops
// what it does not know without a word, so what it stored is read back and compared.

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
import { subjectRoot } from "../message.ts";

export const streamName = "EMS_EVENTS";
export const consumerName = "notifications-v1";
/** An event that could not be taken in that often is put aside. */
export const maxDeliver = 20;
export const maxAckPending = 256;

/** To be raised with each change of what follows: what a lower one made is brought up to date, a higher one is let be. */
const configuration = 1;
const subjects = `${subjectRoot}.>`;
const minuteMs = 60_000;
const othersTries = 5;
const othersMs = 50;

function wantedStream(replicas: number) {
  return {
    name: streamName,
    description: `EMS events, configuration ${configuration}`,
    subjects: [subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full stream refuses events, which then wait in their outboxes; it never drops those that nobody took in.
    discard: DiscardPolicy.New,
    max_age: nanos(7 * 24 * 60 * minuteMs),
    max_bytes: 10 * 1024 ** 3,
    // An event may have 512 KiB (events/publish.ts: what was taken in grows afterwards), and headers.
    max_msg_size: 768 * 1024,
    duplicate_window: nanos(10 * minuteMs),
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>;
}

const wantedConsumer = {
  durable_name: consumerName,
  description: `EMS notifications, configuration ${configuration}`,
  filter_subject: subjects,
  deliver_policy: DeliverPolicy.All,
  replay_policy: ReplayPolicy.Instant,
  ack_policy: AckPolicy.Explicit,
  // Pauses between deliveries are asked for one by one: a list of them would also shorten the first wait, to one second.
  ack_wait: nanos(30_000),
  max_ack_pending: maxAckPending,
  max_deliver: maxDeliver,
} satisfies Partial<ConsumerConfig>;

/** Makes sure that the stream is there. Answers a sentence for each of its settings that is not as it must be. */
export async function ensureStream(jsm: JetStreamManager, replicas: number): Promise<string[]> {
  const wanted = wantedStream(replicas);
  const look = () => found(jsm.streams.info(streamName));
  const stored = (await look()) ?? (await made(jsm.streams.add(wanted), look));
  if (isOlder(stored.config) || isScaled(stored.config, replicas)) {
    const { config } = await jsm.streams.update(streamName, wanted);
    return differences(`stream ${streamName}`, wanted, config);
  }
  return isNewer(stored.config) ? [] : differences(`stream ${streamName}`, wanted, stored.config);
}

/** Makes sure that the consumer is there; the stream must be. Answers as `ensureStream`. */
export async function ensureConsumer(jsm: JetStreamManager): Promise<string[]> {
  const look = () => found(jsm.consumers.info(streamName, consumerName));
  const stored = (await look()) ?? (await made(jsm.consumers.add(streamName, wantedConsumer), look));
  if (isOlder(stored.config)) {
    const { config } = await jsm.consumers.update(streamName, consumerName, wantedConsumer);
    return differences(`consumer ${consumerName}`, wantedConsumer, config);
  }
  return isNewer(stored.config) ? [] : differences(`consumer ${consumerName}`, wantedConsumer, stored.config);
}

/**
 * What was asked to be made. Where several processes ask at once, the server refuses one or the other, for lack of room
 * for two or because the name is taken: then what another made is looked for.
 */
async function made<T>(making: Promise<T>, look: () => Promise<T | undefined>): Promise<T> {
  try {
    return await making;
  } catch (error) {
    for (let tries = 0; tries < othersTries; tries++) {
      const others = await look();
      if (others !== undefined) return others;
      await delay(othersMs);
    }
    throw error;
  }
}

interface Described {
  readonly description?: string;
}

function isOlder(stored: Described): boolean {
  const of = configurationOf(stored);
  return of !== undefined && of < configuration;
}

function isNewer(stored: Described): boolean {
  const of = configurationOf(stored);
  return of !== undefined && of > configuration;
}

/** How many replicas there are is a setting, not part of what the product needs. */
function isScaled(stored: StreamConfig, replicas: number): boolean {
  return configurationOf(stored) === configuration && stored.num_replicas !== replicas;
}

/** Undefined when it is none of ours. */
function configurationOf({ description }: Described): number | undefined {
  const number = /^EMS \w+, configuration (\d+)$/.exec(description ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
}

function differences(what: string, wanted: object, stored: object): string[] {
  const have = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(wanted)
    .filter(([key, value]) => JSON.stringify(have.get(key)) !== JSON.stringify(value))
    .map(([key, value]) => `${what}: ${key} is ${JSON.stringify(have.get(key))}, not ${JSON.stringify(value)}`);
}

/** Undefined for what JetStream does not have. */
async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether JetStream answered that it does not have the stream, consumer or message. */
export function isMissing(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}
