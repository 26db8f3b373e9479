// Size limits in bytes that several parts of the product share; each is defined only here. Limits in the contract are
// in @ems/proto/limits.

const kib = 1024;
const mib = 1024 * kib;

/**
 * Maximum message between services. It fits a page of 100 resources of `resourceBytesMax`; a body of `bodyBytesMax`,
 * which grows up to 5.5 times (in free JSON a number of two characters becomes eleven bytes); and one of
 * `largeBodyBytesMax`, whose values are limited in number.
 */
export const messageBytesMax = 24 * mib;

/** Maximum request of an RPC that is a GET at the gateway: its fields were in a URL. */
export const readRequestBytesMax = 64 * kib;

/** Maximum total of all messages that a process is receiving. */
export const inboundBytesMax = 64 * mib;

/**
 * Maximum size of an event as JSON; for `.created` events it is `resourceBytesMax`. Resources grow by assignees and
 * links, and one that outgrew its events could no longer be archived.
 */
export const eventBytesMax = 512 * kib;

/** Maximum size of an event in a NATS message, without headers. */
export const eventMessageBytesMax = 752 * kib;

/** Maximum NATS message: an event with its headers. A server's `max_payload` must not be lower. */
export const natsMessageBytesMax = 768 * kib;
