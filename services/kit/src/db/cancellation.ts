// What a connection is at ends in PostgreSQL when nobody waits for it any more: a statement goes on without its client.

import pg, { type Pool, type PoolClient } from "pg";
import type { Call } from "../rpc/call.ts";

/** A read is asked from then on whether its caller is still there; most end before. */
const slowMs = 500;
/** A transaction that goes on past its time has its next statement cancelled, too. */
const againMs = 500;
/** How long ending a statement may take in all; the statement's own timeout ends it as well. */
const cancelMs = 2_000;

/** Has PostgreSQL cancel what `client` is at from `untilMs` on, and as soon as `call`, if given, is aborted. */
export class Ending {
  readonly #pool: Pool;
  readonly #client: PoolClient;
  readonly #untilMs: number;
  readonly #call: Pick<Call, "signal"> | undefined;
  #timer: NodeJS.Timeout;
  #isSlow = false;
  #canceled: Promise<void> | undefined;

  constructor(pool: Pool, client: PoolClient, untilMs: number, call?: Pick<Call, "signal">) {
    this.#pool = pool;
    this.#client = client;
    this.#untilMs = untilMs;
    this.#call = call;
    const remainingMs = untilMs - Date.now();
    this.#timer = setTimeout(this.#look, call === undefined ? remainingMs : Math.min(slowMs, remainingMs));
  }

  /** Stops looking; answers whether something was cancelled, in which case nothing more of that is on its way. */
  async stop(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#isSlow) this.#call?.signal.removeEventListener("abort", this.#cancel);
    await this.#canceled;
    return this.#canceled !== undefined;
  }

  readonly #look = (): void => {
    if (this.#untilMs <= Date.now() || this.#call?.signal.aborted) {
      this.#cancel();
      return;
    }
    this.#isSlow = true;
    this.#call?.signal.addEventListener("abort", this.#cancel);
    this.#timer = setTimeout(this.#cancel, this.#untilMs - Date.now());
  };

  readonly #cancel = (): void => {
    clearTimeout(this.#timer);
    this.#canceled = (this.#canceled ?? Promise.resolve()).then(() => cancelStatement(this.#pool, this.#client));
    this.#timer = setTimeout(this.#cancel, againMs);
  };
}

/** Ends what the client's connection is at, by a connection of its own: the pool's may all be busy. */
export async function cancelStatement(pool: Pool, client: PoolClient): Promise<void> {
  // The types of `pg` leave out the number of the server process, which its documentation does not.
  const { processID } = client as unknown as { processID: number };
  const other = new pg.Client({ ...pool.options, connectionTimeoutMillis: cancelMs, query_timeout: cancelMs });
  other.on("error", () => undefined);
  try {
    await other.connect();
    await other.query("SELECT pg_cancel_backend($1)", [processID]);
  } catch {
    // The statement's own timeout ends it.
  } finally {
    await other.end().catch(() => undefined);
  }
}
