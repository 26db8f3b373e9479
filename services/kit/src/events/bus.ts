// How events get from the services to whoever takes them in. Two ways are the same to both ends: over NATS JetStream
// (nats.ts), and from hand to hand in one process (in-process-bus.ts). Neither is where a promise is kept: an event stands in an
// outbox until the bus says that it is stored, and whoever takes it in may get it again.

/** An event on its way: a row of an outbox, and what a consumer gets of it. */
export interface BusEvent {
  /** UUIDv7. */
  readonly id: string;
  readonly applicationId: string;
  readonly orgId: string;
  /** `resource.action`, such as `topic.created`. */
  readonly type: string;
  /** `ems.v1.evt.<service>.<type>.<application id>`. */
  readonly subject: string;
  /** The event's JSON, byte by byte as it was written. */
  readonly payload: string;
  /** The W3C trace context of the change. */
  readonly traceparent: string | null;
}

/** An event as it came: it can be read, and its type is one of the contract's. It may have come before. */
export type ReceivedEvent = BusEvent;

/** A message that is no event we know. */
export interface DeadLetter {
  /** Undefined when the message does not say. */
  readonly applicationId: string | undefined;
  readonly id: string | undefined;
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly payload: Uint8Array;
  /** What is wrong with it, in a few words. */
  readonly reason: string;
}

/** Who takes events in. */
export interface EventHandler {
  /**
   * Takes in 1 to 100 events, all or none: done when it resolves, and they do not come again but by accident. When it
   * rejects they come again: at once one by one, so that one event does not hold up the others, later each after a pause.
   */
  handle(events: readonly ReceivedEvent[]): Promise<void>;
  /** Keeps a message that nobody can read; done when it resolves. */
  deadLetter(message: DeadLetter): Promise<void>;
  /** Rejects while nothing can be taken in, such as when the database is down. */
  ready(): Promise<void>;
}

export interface Subscription {
  /** Resolves when what was being taken in is, and nothing more comes. */
  stop(): Promise<void>;
}

export interface EventBus {
  /** Whether publishing may succeed now; while not, there is no use in trying. */
  readonly isUp: boolean;
  /** Resolves when the event is stored, or taken in; rejects when that is not known after 3 s. */
  publish(event: BusEvent): Promise<void>;
  /** Hands every event to `consumer`, at least once, in no promised order, from now until it is stopped. */
  consume(consumer: EventHandler): Subscription;
  /** Tells of events of a type as they are published: at most once, nothing is kept for whoever is not there. */
  listen(type: string, hear: (event: ReceivedEvent) => void): void;
  /** Every event published before then, by PostgreSQL's clock or near it, has come to the consumer or never will. */
  ackedUpTo(): Promise<Date>;
  /** Rejects with the reason while the bus cannot carry events. */
  check(): Promise<void>;
  /** After relays and consumers were stopped. What is on its way goes out first. */
  close(): Promise<void>;
}

/** The most events that a consumer gets at once. */
export const batchMax = 100;
