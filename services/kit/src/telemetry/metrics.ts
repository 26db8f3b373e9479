// What the process counts and measures, as Prometheus reads it at `/metrics` of the admin port: one register a process.
// Labels are words of ours, few and known beforehand: never an organisation, an application, a key or an id.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The words that labels may be named with: what is not here is no label. */
export type LabelName =
  | "outbox"
  | "outcome"
  | "result"
  | "datasource"
  | "reason"
  | "part"
  | "error_type"
  | "http_request_method"
  | "http_route"
  | "http_response_status_code"
  | "rpc_system_name"
  | "rpc_method"
  | "rpc_response_status_code"
  | "db_system_name"
  | "db_namespace"
  | "db_operation_name"
  | "db_client_connection_pool_name"
  | "db_client_connection_state";

export type Labels<Name extends LabelName> = Readonly<Record<Name, string>>;

interface About<Name extends LabelName> {
  /** Prometheus's form: unit at the end, `_total` for what only grows. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  readonly labels: readonly Name[];
}

const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Bounds that semantic conventions advise for histogram, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A count that only grows; answers how to add one. */
export function counter<Name extends LabelName>({ name, help, labels }: About<Name>): (labels: Labels<Name>) => void {
  const made = new Counter({ name, help, labelNames: labels, registers: [registry] });
  return (values) => made.inc({ ...values });
}

/** How long things take; answers how to tell of one, in milliseconds. It is exported in seconds. */
export function histogram<Name extends LabelName>({ name, help, labels }: About<Name>) {
  const made = new Histogram({ name, help, labelNames: labels, buckets: durationBuckets, registers: [registry] });
  return (values: Labels<Name>, ms: number): void => made.observe({ ...values }, ms / 1000);
}

/** A value as it is read when somebody asks, with its labels. */
export interface Reading<Name extends LabelName> {
  readonly labels: Labels<Name>;
  readonly value: number;
}

/** Answers readings; nothing when they cannot be had. */
export type Read<Name extends LabelName> = () => Promise<readonly Reading<Name>[]> | readonly Reading<Name>[];

/** Whoever asks for metrics is not kept waiting longer for what is read from elsewhere. */
const readMs = 2_000;

/**
 * A value that goes up and down and is read when somebody asks. What it answers adds a reader, and that answers how to take
 * the reader away. A reading that fails or takes too long is left out: metrics are answered all the same.
 */
export function gauge<Name extends LabelName>({ name, help, labels }: About<Name>): (read: Read<Name>) => () => void {
  const readers = new Set<Read<Name>>();
  const made = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const readings = await Promise.all([...readers].map((read) => withinReadMs(read)));
      made.reset();
      for (const { labels: values, value } of readings.flat()) made.set({ ...values }, value);
    },
  });
  return (read) => {
    readers.add(read);
    return () => void readers.delete(read);
  };
}

async function withinReadMs<Name extends LabelName>(read: Read<Name>): Promise<readonly Reading<Name>[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Reading<Name>[]>();
  const timer = setTimeout(() => resolve([]), readMs);
  try {
    return await Promise.race([Promise.resolve().then(read), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/** The media type of `metricsText`. */
export const metricsType = registry.contentType;

/** All of it, in Prometheus's text format. */
export function metricsText(): Promise<string> {
  return registry.metrics();
}
