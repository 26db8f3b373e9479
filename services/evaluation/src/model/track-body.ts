// Tracks whether a request's body was sent. Uses the connection that wrote it, because errors do not say.

import { setImmediate as nextTurn } from "node:timers/promises";
import { DecoratorHandler, type Dispatcher } from "undici";
import type { Transmission } from "../judges/index.ts";

/**
 * Records the first byte of the body that the HTTP client gives to its socket. Given bytes count as sent: the kernel
 * may deliver them even if the connection fails afterwards.
 */
export function trackBody(transmission: Transmission): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const body = options.body as AsyncIterable<Uint8Array> | null | undefined;
    // fetch passes its body as an async iterable, which the types do not include.
    const held = body && (afterTurns(body) as unknown as NonNullable<typeof options.body>);
    return dispatch({ ...options, ...(held && { body: held }) }, new TrackingHandler(handler, transmission));
  };
}

/**
 * A connection that is reset right after it opens is noticed within two turns of the event loop, before the first
 * byte.
 */
async function* afterTurns(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await nextTurn();
  await nextTurn();
  yield* body;
}

class TrackingHandler extends DecoratorHandler {
  readonly #transmission: Transmission;

  constructor(handler: Dispatcher.DispatchHandler, transmission: Transmission) {
    super(handler);
    this.#transmission = transmission;
  }

  /** The handler of fetch has no such method. */
  onBodySent(): void {
    this.#transmission.state = "sent";
  }
}
