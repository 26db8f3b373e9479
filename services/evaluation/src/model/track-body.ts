// Tracks whether a request's body was sent, by the connection that wrote it, because errors do not say.

import { setImmediate as nextTurn } from "node:timers/promises";
import { DecoratorHandler, type Dispatcher } from "undici";
import type { Transmission } from "../judges/index.ts";

/**
 * Records when the HTTP client passes the first byte of the body to its socket. From then on the body counts as sent,
 * because the kernel may deliver it even if the connection fails.
 */
export function trackBody(transmission: Transmission): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const body = options.body as AsyncIterable<Uint8Array> | null | undefined;
    // Safe cast: fetch passes its body as an async iterable, which the types do not include.
    const held = body && (afterTurns(body) as unknown as NonNullable<typeof options.body>);
    return dispatch({ ...options, ...(held && { body: held }) }, new TrackingHandler(handler, transmission));
  };
}

/**
 * Waits two turns of the event loop before the first byte, in which the client notices a connection that is reset right
 * after it opens.
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

  /** Does nothing, because the handler of fetch has no such method. */
  onBodySent(): void {
    this.#transmission.state = "sent";
  }
}
