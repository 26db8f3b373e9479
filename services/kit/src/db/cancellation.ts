// Statements outlive their client in PostgreSQL, so one that nobody waits for any more is cancelled there.

import pg, { type Pool, type PoolClient } from "pg";
import type { Call } from "../rpc/call.ts";

/** A read listens for its caller's abort from then on only: most end before, and the signal is never made. */
const listenAfterMs = 500;
/** A transaction past its deadline begins more statements: each is cancelled. */
const cancelEveryMs = 500;
/** The longest that a cancellation takes; the statement timeout ends the statement as well. */
const cancelTimeoutMs = 2_000;

/** Cancels what `client` runs at `deadlineMs`, and as soon as `call`, if any, is aborted. */
export class Cancellation {
  readonly #pool: Pool;
  readonly #client: PoolClient;
  readonly #deadlineMs: number;
  readonly #call: Pick<Call, "signal"> | undefined;
  #timer: NodeJS.Timeout;
  #isListening = false;
  #canceled: Promise<void> | undefined;

  constructor(pool: Pool, client: PoolClient, deadlineMs: number, call?: Pick<Call, "signal">) {
    this.#pool = pool;
    this.#client = client;
    this.#deadlineMs = deadlineMs;
    this.#call = call;
    const leftMs = deadlineMs - Date.now();
    this.#timer = setTimeout(this.#listen, call === undefined ? leftMs : Math.min(listenAfterMs, leftMs));
  }

  /** Answers whether something was cancelled, in which case the cancellation has arrived. */
  async stop(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#isListening) this.#call?.signal.removeEventListener("abort", this.#cancel);
    await this.#canceled;
    return this.#canceled !== undefined;
  }

  readonly #listen = (): void => {
    if (this.#deadlineMs <= Date.now() || this.#call?.signal.aborted) {
      this.#cancel();
      return;
    }
    this.#isListening = true;
    this.#call?.signal.addEventListener("abort", this.#cancel);
    this.#timer = setTimeout(this.#cancel, this.#deadlineMs - Date.now());
  };

  readonly #cancel = (): void => {
    clearTimeout(this.#timer);
    this.#canceled = (this.#canceled ?? Promise.resolve()).then(() => cancelStatement(this.#pool, this.#client));
    this.#timer = setTimeout(this.#cancel, cancelEveryMs);
  };
}

/** Cancels what the client runs, over a connection of its own: the pool's may all be busy. */
export async function cancelStatement(pool: Pool, client: PoolClient): Promise<void> {
  // The server's process id is documented by `pg`, and missing in its types.
  const { processID } = client as unknown as { processID: number };
  const canceler = new pg.Client({
    ...pool.options,
    connectionTimeoutMillis: cancelTimeoutMs,
    query_timeout: cancelTimeoutMs,
  });
  canceler.on("error", () => undefined);
  try {
    await canceler.connect();
    await canceler.query("SELECT pg_cancel_backend($1)", [processID]);
  } catch {
    // The statement timeout ends it.
  } finally {
    await canceler.end().catch(() => undefined);
  }
}
