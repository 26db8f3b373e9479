// Cancels statements in PostgreSQL when their caller no longer waits: they would outlive their client.

import type { Socket } from "node:net";
import pg, { type PoolClient } from "pg";
import { monotonicMs } from "../clock.ts";
import { deadlineExceeded } from "../errors.ts";
import type { Call } from "../rpc/call.ts";

/** Milliseconds until a read listens for its caller's abort: most reads end before, and the signal is never created. */
const listenAfterMs = 500;
/** Interval at which a transaction past its deadline is cancelled, since it may start more statements. */
const cancelEveryMs = 500;
/** Maximum duration of a cancel request. If it fails, the statement timeout ends the statement. */
const cancelTimeoutMs = 2_000;

/** Cancels the statement of `client` at `deadlineMs`, and when `call` is aborted. */
export class Cancellation {
  readonly #client: PoolClient;
  readonly #deadlineMs: number;
  readonly #call: Pick<Call, "signal"> | undefined;
  #timer: NodeJS.Timeout;
  #isListening = false;
  #canceled: Promise<void> | undefined;

  constructor(client: PoolClient, deadlineMs: number, call?: Pick<Call, "signal">) {
    this.#client = client;
    this.#deadlineMs = deadlineMs;
    this.#call = call;
    const leftMs = Math.max(0, deadlineMs - monotonicMs());
    this.#timer = setTimeout(this.#listen, call === undefined ? leftMs : Math.min(listenAfterMs, leftMs));
  }

  /**
   * Ends cancellation; throws if a cancellation was sent. PostgreSQL reports a cancelled commit that waits for a
   * standby as a success, although the standby does not have it.
   */
  end(): void {
    this.#stopListening();
    if (this.#canceled !== undefined) throw deadlineExceeded();
  }

  /** Ends cancellation. Returns true if a cancellation was sent; PostgreSQL has then received it. */
  async stop(): Promise<boolean> {
    this.#stopListening();
    await this.#canceled;
    return this.#canceled !== undefined;
  }

  #stopListening(): void {
    clearTimeout(this.#timer);
    if (this.#isListening) this.#call?.signal.removeEventListener("abort", this.#cancel);
  }

  readonly #listen = (): void => {
    if (this.#deadlineMs <= monotonicMs() || this.#call?.signal.aborted) {
      this.#cancel();
      return;
    }
    this.#isListening = true;
    this.#call?.signal.addEventListener("abort", this.#cancel);
    this.#timer = setTimeout(this.#cancel, Math.max(0, this.#deadlineMs - monotonicMs()));
  };

  readonly #cancel = (): void => {
    clearTimeout(this.#timer);
    this.#canceled = (this.#canceled ?? Promise.resolve()).then(() => cancelStatement(this.#client));
    this.#timer = setTimeout(this.#cancel, cancelEveryMs);
  };
}

/** Properties of a connected `pg` client and its connection that its types omit. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly sslNegotiation: string;
  readonly processID: number;
  readonly secretKey: number;
}
interface RawConnection extends NodeJS.EventEmitter {
  readonly stream: Socket;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Cancels the client's statement with the protocol's cancel request, over a separate connection. The request needs no
 * authentication and no free connection slot, and poolers forward it. PostgreSQL closes the connection on arrival.
 */
function cancelStatement(client: PoolClient): Promise<void> {
  const { host, port, processID, secretKey, ...tls } = client as unknown as Backend;
  const connection = new pg.Connection({
    ssl: tls.ssl,
    sslNegotiation: tls.sslNegotiation,
  } as object) as unknown as RawConnection;
  const send = () => connection.cancel(processID, secretKey);
  connection.on("connect", () => {
    if (!tls.ssl) send();
    else if (tls.sslNegotiation !== "direct") connection.requestSsl();
  });
  connection.on("sslconnect", send);
  return new Promise((resolve) => {
    // Give up after this time: then the statement timeout ends the statement.
    const timer = setTimeout(() => connection.stream.destroy(), cancelTimeoutMs);
    connection.on("error", () => connection.stream.destroy());
    connection.on("end", () => {
      clearTimeout(timer);
      resolve();
    });
    if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
