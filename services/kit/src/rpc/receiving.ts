// Messages on their way in, of all connections of a process together: how many bytes they hold, and since when.

import type { ConnectError } from "@connectrpc/connect";
import { deadlineExceeded, tooLarge, unavailable } from "../errors.ts";
import { maxMessageBytes } from "./wire.ts";

/** Messages in the middle of being received hold at most this together, as many times a message's own maximum. */
export const receivingMaxBytes = 4 * maxMessageBytes;
/** A message that has not come by then will not: a sender that drips is not waited for. */
const receivedWithinMs = 15_000;
const checkEveryMs = 1_000;

/** Ends the call that a message belongs to, and says why. */
export type Cut = (why: ConnectError) => void;

export class Receiving {
  readonly #all = new Set<Incoming>();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor() {
    this.#timer = setInterval(() => this.#cutLate(), checkEveryMs).unref();
  }

  /** A message of at most `maxBytes` begins to come. */
  begin(maxBytes: number, cut: Cut): Incoming {
    const incoming = new Incoming(this, maxBytes, cut);
    this.#all.add(incoming);
    return incoming;
  }

  count(incoming: Incoming, bytes: number): void {
    incoming.bytes += bytes;
    this.#bytes += bytes;
    if (incoming.bytes > incoming.maxBytes) incoming.stop(tooLarge("The message is too large"));
    // The largest goes: the small ones of everybody else are let through.
    while (this.#bytes > receivingMaxBytes) this.#largest()?.stop(full());
  }

  end(incoming: Incoming): void {
    if (!this.#all.delete(incoming)) return;
    this.#bytes -= incoming.bytes;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #largest(): Incoming | undefined {
    let largest: Incoming | undefined;
    for (const one of this.#all) if (largest === undefined || one.bytes > largest.bytes) largest = one;
    return largest;
  }

  #cutLate(): void {
    const untilMs = performance.now() - receivedWithinMs;
    for (const one of this.#all) {
      // In the order in which they began.
      if (one.sinceMs > untilMs) return;
      one.stop(deadlineExceeded());
    }
  }
}

/** One message on its way in. */
export class Incoming {
  readonly #receiving: Receiving;
  readonly #cut: Cut;
  readonly maxBytes: number;
  readonly sinceMs = performance.now();
  bytes = 0;

  constructor(receiving: Receiving, maxBytes: number, cut: Cut) {
    this.#receiving = receiving;
    this.maxBytes = maxBytes;
    this.#cut = cut;
  }

  /** So many bytes of it have come. */
  add(bytes: number): void {
    this.#receiving.count(this, bytes);
  }

  /** It is there, or nobody waits for it any more. */
  end(): void {
    this.#receiving.end(this);
  }

  stop(why: ConnectError): void {
    this.end();
    this.#cut(why);
  }
}

function full(): ConnectError {
  return unavailable("This process receives too much at once", undefined, 1_000);
}
