// Sizes that several parts of the product have to agree on, in bytes: each is stated here and nowhere else. Those that the
// contract states are in @ems/proto/limits.

const kib = 1024;
const mib = 1024 * kib;

/**
 * A message between services. A page of 100 resources of `resourceBytesMax` fits, and so does a body of `bodyBytesMax`,
 * which grows up to 5.5 times (in free JSON a number of two characters becomes eleven bytes), and one of
 * `largeBodyBytesMax`, whose values are limited in number.
 */
export const messageBytesMax = 24 * mib;

/** The request of an RPC that is a GET at the gateway: its fields have been in a URL. */
export const readRequestBytesMax = 64 * kib;

/** All messages that a process is receiving, together. */
export const inboundBytesMax = 64 * mib;

/**
 * Any other event as JSON. Resources grow after their creation, by assignees and links, and one that has outgrown events
 * could not be archived any more.
 */
export const eventBytesMax = 512 * kib;

/** An event as a NATS message has it, without headers. */
export const eventMessageBytesMax = 752 * kib;

/** A NATS message: an event with its headers. A server's `max_payload` must not be lower. */
export const natsMessageBytesMax = 768 * kib;
