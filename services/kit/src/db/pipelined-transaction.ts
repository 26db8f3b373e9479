import type { PoolClient } from "pg";
import { commit, type Statement, type StatementResult, sendBatch } from "./batch.ts";

interface Queued {
  readonly statement: Statement;
  resolve?(result: StatementResult): void;
  reject?(error: unknown): void;
}

/**
 * A transaction sent in batches: an awaited statement, or the commit, is sent with all deferred ones. If nothing is
 * awaited, everything is one implicit transaction and takes one round trip.
 */
export class PipelinedTransaction {
  readonly #client: PoolClient;
  readonly #begin: Statement;
  readonly #settings: () => Statement[];
  readonly #onCommit: () => void;
  #state: "new" | "open" | "ended" = "new";
  #isLast = false;
  #queue: Queued[] = [];
  #sending: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /**
   * `begin` opens a transaction, in which `settings` run first. An implicit transaction runs `settings` without it.
   * `onCommit` is called before the commit is sent, and can prevent it by throwing.
   */
  constructor(
    client: PoolClient,
    begin: Statement,
    settings: () => Statement[],
    onCommit: () => void = () => undefined,
  ) {
    this.#client = client;
    this.#begin = begin;
    this.#settings = settings;
    this.#onCommit = onCommit;
  }

  /** Queues the statement for the next batch. Its error rejects that batch. */
  defer(statement: Statement): void {
    this.#queue.push({ statement });
  }

  /** Runs the statement. Statements of one tick are sent together. */
  run(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statement, resolve, reject });
      this.#sending ??= this.#send();
    });
  }

  /** Commits with the statements of this tick; no statement may follow. */
  end(): void {
    this.#isLast = true;
  }

  /** Runs `work` and its deferred statements, and commits. If a statement fails, rolls back and throws its error. */
  async complete<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.#settle();
      if (this.#failure !== undefined) throw this.#failure.error;
      const rest = this.#queue.splice(0).map(({ statement }) => statement);
      if (this.#state === "open" || rest.length > 0) await this.#sendLast(rest);
      return result;
    } finally {
      await this.#settle();
    }
  }

  /** Waits for running statements. */
  async #settle(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #send(): Promise<void> {
    // Statements requested in the same tick join the batch.
    await undefined;
    const queued = this.#queue.splice(0);
    try {
      if (this.#failure !== undefined) throw this.#failure.error;
      const statements = queued.map(({ statement }) => statement);
      const results = this.#isLast ? await this.#sendLast(statements) : await this.#sendNext(statements);
      for (const [index, result] of results.entries()) queued[index]?.resolve?.(result);
    } catch (error) {
      this.#failure ??= { error };
      for (const { reject } of queued) reject?.(error);
    }
    this.#sending = this.#queue.some(({ resolve }) => resolve !== undefined) ? this.#send() : undefined;
  }

  async #sendNext(statements: readonly Statement[]): Promise<StatementResult[]> {
    this.#assertNotEnded();
    const opening = this.#state === "open" ? [] : [this.#begin, ...this.#settings()];
    this.#state = "open";
    const results = await sendBatch(this.#client, [...opening, ...statements]);
    return results.slice(opening.length);
  }

  /** Sends the last batch with the commit; without a BEGIN, PostgreSQL commits at the Sync. */
  async #sendLast(statements: readonly Statement[]): Promise<StatementResult[]> {
    this.#assertNotEnded();
    this.#onCommit();
    const isOpen = this.#state === "open";
    this.#state = "ended";
    const opening = isOpen ? [] : this.#settings();
    const results = await sendBatch(this.#client, [...opening, ...statements, ...(isOpen ? [commit] : [])]);
    return results.slice(opening.length, opening.length + statements.length);
  }

  #assertNotEnded(): void {
    if (this.#state === "ended")
      throw new Error("the transaction has been committed: no further statements are allowed");
  }
}
