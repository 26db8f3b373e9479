import type { PoolClient } from "pg";
import { commit, type Statement, type StatementResult, sendBatch } from "./batch.ts";

interface Queued {
  readonly statement: Statement;
  resolve?(result: StatementResult): void;
  reject?(error: unknown): void;
}

/**
 * A transaction in batches: a statement whose result is awaited takes all deferred ones along, and so does the commit. When
 * nothing is awaited, all is one implicit transaction and takes one round trip.
 */
export class PipelinedTransaction {
  readonly #client: PoolClient;
  readonly #begin: Statement;
  readonly #settings: () => Statement[];
  #isOpen = false;
  #queue: Queued[] = [];
  #sending: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** `begin` opens a transaction, in which `settings` run first; in an implicit transaction they run without it. */
  constructor(client: PoolClient, begin: Statement, settings: () => Statement[]) {
    this.#client = client;
    this.#begin = begin;
    this.#settings = settings;
  }

  /** Has the statement run before the next awaited one, or before the commit. Its error is theirs. */
  defer(statement: Statement): void {
    this.#queue.push({ statement });
  }

  /** Runs the statement. Those of one tick travel together. */
  run(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statement, resolve, reject });
      this.#sending ??= this.#send();
    });
  }

  /** Runs `work`, what it has deferred, and commits. When a statement fails, its error is thrown, and nothing has happened. */
  async complete<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.#settle();
      if (this.#failure !== undefined) throw this.#failure.error;
      const rest = this.#queue.splice(0).map(({ statement }) => statement);
      if (this.#isOpen) await sendBatch(this.#client, [...rest, commit]);
      else if (rest.length > 0) await sendBatch(this.#client, [...this.#settings(), ...rest]);
      return result;
    } finally {
      await this.#settle();
    }
  }

  /** Waits for statements that run. */
  async #settle(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #send(): Promise<void> {
    // Statements that are asked for in the same tick join the batch.
    await undefined;
    const queued = this.#queue.splice(0);
    try {
      if (this.#failure !== undefined) throw this.#failure.error;
      const opening = this.#isOpen ? [] : [this.#begin, ...this.#settings()];
      this.#isOpen = true;
      const results = await sendBatch(this.#client, [...opening, ...queued.map(({ statement }) => statement)]);
      for (const [index, result] of results.slice(opening.length).entries()) queued[index]?.resolve?.(result);
    } catch (error) {
      this.#failure ??= { error };
      for (const { reject } of queued) reject?.(error);
    }
    this.#sending = this.#queue.some(({ resolve }) => resolve !== undefined) ? this.#send() : undefined;
  }
}
