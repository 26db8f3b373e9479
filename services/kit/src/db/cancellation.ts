// Statements outlive their client in PostgreSQL, so one that nobody waits for any more is cancelled there.

import type { Socket } from "node:net";
import pg, { type PoolClient } from "pg";
import { monotonicMs } from "../clock.ts";
import { deadlineExceeded } from "../errors.ts";
import type { Call } from "../rpc/call.ts";

/** A read listens for its caller's abort from then on only: most end before, and the signal is never made. */
const listenAfterMs = 500;
/** A transaction past its deadline begins more statements: each is cancelled. */
const cancelEveryMs = 500;
/** The longest that a cancellation takes; the statement timeout ends the statement as well. */
const cancelTimeoutMs = 2_000;

/** Cancels what `client` runs at `deadlineMs`, and as soon as `call`, if any, is aborted. */
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
   * Nothing is cancelled from now on; throws when something was. A cancelled commit that waits for a standby is a success to
   * PostgreSQL, though the standby does not have it.
   */
  end(): void {
    this.#stopListening();
    if (this.#canceled !== undefined) throw deadlineExceeded();
  }

  /** Answers whether something was cancelled, in which case the cancellation has arrived. */
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

/** What `pg` has of a connected client and of a connection, and its types leave out. */
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
 * Cancels what the client runs, by the protocol's cancel request over a connection of its own. It needs no authentication
 * and no free place on the server, and a pooler passes it on. PostgreSQL closes the connection when it has arrived.
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
    // When it fails, the statement timeout ends the statement.
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
