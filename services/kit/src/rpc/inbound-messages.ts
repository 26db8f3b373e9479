// Messages that a process is receiving: limits of size for each and for all together, and a time limit.

import type { ConnectError } from "@connectrpc/connect";
import { deadlineExceeded, overloaded, tooLarge } from "../errors.ts";
import { inboundBytesMax } from "../limits/sizes.ts";

/** Maximum time to receive a message; slower messages are rejected. */
const receiveTimeoutMs = 15_000;
const sweepMs = 1_000;

/** Ends the call of a message. */
export type Reject = (error: ConnectError) => void;

export class InboundMessages {
  /** Messages in order of their start. */
  readonly #messages = new Set<InboundMessage>();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor() {
    // One timer for all messages. A plain timer suffices, since there is nothing asynchronous to wait for.
    this.#timer = setInterval(() => this.#rejectLate(), sweepMs).unref();
  }

  begin(bytesMax: number, reject: Reject): InboundMessage {
    const message = new InboundMessage(this, bytesMax, reject);
    this.#messages.add(message);
    return message;
  }

  count(message: InboundMessage, bytes: number): void {
    message.bytes += bytes;
    this.#bytes += bytes;
    if (message.bytes > message.bytesMax) message.reject(tooLarge("The message is too large"));
    // Load shedding: rejects the largest message, so that small ones succeed.
    while (this.#bytes > inboundBytesMax) {
      this.#largest()?.reject(overloaded("This process receives too much at once"));
    }
  }

  end(message: InboundMessage): void {
    if (this.#messages.delete(message)) this.#bytes -= message.bytes;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #largest(): InboundMessage | undefined {
    let largest: InboundMessage | undefined;
    for (const message of this.#messages) if (largest === undefined || message.bytes > largest.bytes) largest = message;
    return largest;
  }

  #rejectLate(): void {
    const beganBeforeMs = performance.now() - receiveTimeoutMs;
    for (const message of this.#messages) {
      if (message.beganMs > beganBeforeMs) return;
      message.reject(deadlineExceeded());
    }
  }
}

export class InboundMessage {
  readonly #messages: InboundMessages;
  readonly #reject: Reject;
  readonly bytesMax: number;
  readonly beganMs = performance.now();
  bytes = 0;

  constructor(messages: InboundMessages, bytesMax: number, reject: Reject) {
    this.#messages = messages;
    this.bytesMax = bytesMax;
    this.#reject = reject;
  }

  /** Counts received bytes. */
  add(bytes: number): void {
    this.#messages.count(this, bytes);
  }

  /** Stops counting the message: it is complete, or its call has ended. */
  end(): void {
    this.#messages.end(this);
  }

  reject(error: ConnectError): void {
    this.end();
    this.#reject(error);
  }
}
