// Metrics in Prometheus's format, one registry per process. Label names come from a closed list, and label values are
// few: never an organization, an application, a key or an id.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type LabelName =
  | "outbox"
  | "outcome"
  | "result"
  | "datasource"
  | "read_from"
  | "reason"
  | "provider"
  | "caller"
  | "kind"
  | "rule"
  | "source"
  | "field"
  | "part"
  | "queue"
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

interface MetricOptions<Name extends LabelName> {
  /** Prometheus naming: the unit last, `_total` for counters. */
  readonly name: string;
  /** Help text of the metric: one sentence. */
  readonly help: string;
  readonly labels: readonly Name[];
}

const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Buckets recommended by the semantic conventions for durations, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

interface CounterOptions<Name extends LabelName> extends MetricOptions<Name> {
  /**
   * Label values that are exported as 0 from the start: a rate misses the first count of a series that begins with it.
   */
  readonly zeros?: readonly Labels<Name>[];
}

/** Creates a counter; returns a function that adds one, or `value`. */
export function counter<Name extends LabelName>({
  name,
  help,
  labels,
  zeros = [],
}: CounterOptions<Name>): (labels: Labels<Name>, value?: number) => void {
  const metric = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const values of zeros) metric.inc({ ...values }, 0);
  return (values, value = 1) => metric.inc({ ...values }, value);
}

/** Creates a histogram of durations, exported in seconds; returns a function that observes milliseconds. */
export function histogram<Name extends LabelName>({ name, help, labels }: MetricOptions<Name>) {
  const metric = new Histogram({ name, help, labelNames: labels, buckets: durationBuckets, registers: [registry] });
  return (values: Labels<Name>, ms: number): void => metric.observe({ ...values }, ms / 1000);
}

/** A value of a gauge with its labels. */
export interface Sample<Name extends LabelName> {
  readonly labels: Labels<Name>;
  readonly value: number;
}

/** Reads a gauge at the scrape. */
export type Read<Name extends LabelName> = () => Promise<readonly Sample<Name>[]> | readonly Sample<Name>[];

/** Slower reads are omitted from the scrape. */
const readTimeoutMs = 2_000;

/**
 * Creates a gauge that is read at the scrape. Returns a function that adds a reader, which returns a function that
 * removes it. Reads that fail or are too slow are omitted.
 */
export function gauge<Name extends LabelName>({
  name,
  help,
  labels,
}: MetricOptions<Name>): (read: Read<Name>) => () => void {
  const readers = new Set<Read<Name>>();
  const metric = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const samples = await Promise.all([...readers].map((read) => readInTime(read)));
      metric.reset();
      for (const { labels: values, value } of samples.flat()) metric.set({ ...values }, value);
    },
  });
  return (read) => {
    readers.add(read);
    return () => void readers.delete(read);
  };
}

async function readInTime<Name extends LabelName>(read: Read<Name>): Promise<readonly Sample<Name>[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Sample<Name>[]>();
  const timer = setTimeout(() => resolve([]), readTimeoutMs);
  try {
    return await Promise.race([Promise.resolve().then(read), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

export const metricsType = registry.contentType;

/** Returns all metrics in Prometheus's text format. */
export function metricsText(): Promise<string> {
  return registry.metrics();
}
