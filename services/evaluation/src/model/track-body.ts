// Whether a request's body was sent: known from the connection that wrote it, not guessed from the error.

import { setImmediate as nextTurn } from "node:timers/promises";
import { DecoratorHandler, type Dispatcher } from "undici";
import type { Transmission } from "../judges/index.ts";

/**
 * Notes the first byte of the body that the HTTP client gives to its socket. What was given counts as sent: the kernel may
 * have delivered it, whatever happens to the connection afterwards.
 */
export function trackBody(transmission: Transmission): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const body = options.body as AsyncIterable<Uint8Array> | null | undefined;
    // fetch gives its body as an async iterable, which the types do not name.
    const held = body && (afterTurns(body) as unknown as NonNullable<typeof options.body>);
    return dispatch({ ...options, ...(held && { body: held }) }, new TrackingHandler(handler, transmission));
  };
}

/** A connection that was reset right after it opened is noticed within two turns of the event loop, before the first byte. */
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

  /** The handler of fetch has none of its own. */
  onBodySent(): void {
    this.#transmission.state = "sent";
  }
}
