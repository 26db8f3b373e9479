// Limits that the contract states in comments, each once: the API reference has the number in place of `{resourceBytesMax}`.

const kib = 1024;
const mib = 1024 * kib;

/** A resource as JSON, as its `created` event carries it. */
export const resourceBytesMax = 128 * kib;

/** A response with long texts: a page of resources, all versions of a document, a trace with its steps. */
export const answerBytesMax = 3 * mib;

/** A trace without its steps: a page of a hundred is one response. */
export const traceMetadataBytesMax = 16 * kib;

/** Steps of a trace. */
export const traceStepsMax = 10_000;

/** Traces, steps and spans of one request; the default of a setting. */
export const ingestRowsMax = 10_000;

/** API keys of an application; the default of a setting. */
export const apiKeysMax = 100;

/** What an attempt stores of a receiver's response. */
export const storedBytesMax = 16 * kib;

/** Links: evaluation definitions of a topic, topics of a definition, tags of a task. */
export const topicDefinitionsMax = 100;
export const definitionTopicsMax = 1_000;
export const taskTagsMax = 100;

/** Tags that a list has of a task from before there was `taskTagsMax`. */
export const listedTagsMax = 300;

/** Buckets of a report: with more, sending them to PostgreSQL takes longer than reading rows. */
export const bucketsMax = 100_000;

/** A size in words, for errors and the API reference. */
export function sizeText(bytes: number): string {
  return bytes % mib === 0 ? `${bytes / mib} MiB` : `${bytes / kib} KiB`;
}

/** `text` with the limit in place of each `{name}` that ends in `Max`; one that ends in `BytesMax` is a size. */
export function withLimits(text: string, limits: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+Max)\}/g, (_, name: string) => {
    const limit = limits[name];
    if (typeof limit !== "number") throw new Error(`no limit is named ${name}`);
    return name.endsWith("BytesMax") ? sizeText(limit) : limit.toLocaleString("en");
  });
}
