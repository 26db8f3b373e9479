// A batch: several statements before one Sync, in one write to the socket (the extended query protocol's pipelining). Without
// a BEGIN PostgreSQL makes one implicit transaction of them, in which `set_config(…, true)` is local: all or none take effect.

import { type Connection, DatabaseError, type PoolClient, type QueryResultRow, type Submittable } from "pg";
import utils from "pg/lib/utils.js";
import { serialize } from "pg-protocol/dist/serializer.js";
import { watchdog } from "../telemetry/watchdog.ts";
import { PoolerClient } from "./pooler.ts";

/** One SQL statement with its values. */
export interface Statement {
  /**
   * Prepares the statement under this name, unique for the text within the service. Omitted if the text has many forms
   * or its plan depends on the values.
   */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface StatementResult {
  readonly rows: QueryResultRow[];
  /** Number of rows read or changed. */
  readonly rowCount: number;
}

/** Ends a transaction that a BEGIN opened. */
export const commit: Statement = { name: "ems-commit", text: "COMMIT", values: [] };

/**
 * Sends the statements and returns the result of each. An error identifies its statement; later statements have not
 * run. Earlier ones are rolled back, unless a BEGIN is among them: then the transaction stays open, aborted.
 */
export function sendBatch(client: PoolClient, statements: readonly Statement[]): Promise<StatementResult[]> {
  const sent = client instanceof PoolerClient ? statements.map(({ text, values }) => ({ text, values })) : statements;
  return watchdog.wait(new Promise((resolve, reject) => client.query(new Batch(client, sent, resolve, reject))));
}

/** Texts of a connection's prepared statements by name, as `pg` stores them; the types of `pg` omit them. */
type ParsedStatements = Record<string, string | undefined>;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly format: "text" | "binary";
}

/** Columns and decoders of a statement's rows. */
interface Shape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

const noRows: Shape = { names: [], parsers: [] };
/**
 * PostgreSQL refuses to run a prepared statement whose columns have changed, so each is described once per connection.
 */
const shapesByConnection = new WeakMap<object, Map<string, Shape>>();

class Batch implements Submittable {
  readonly #client: PoolClient;
  readonly #statements: readonly Statement[];
  readonly #resolve: (results: StatementResult[]) => void;
  readonly #reject: (error: Error) => void;
  #shapes = new Map<string, Shape>();
  #results: StatementResult[] = [];
  #shape = noRows;
  #rows: QueryResultRow[] = [];
  #parseError: Error | undefined;

  constructor(
    client: PoolClient,
    statements: readonly Statement[],
    resolve: (results: StatementResult[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#client = client;
    this.#statements = statements;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Name of the running statement; `pg` records it as prepared when PostgreSQL has parsed it. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#results.length];
  }

  /** Returns an error, as `pg` expects, instead of sending only part of the batch. */
  submit(connection: Connection): Error | undefined {
    try {
      this.#shapes = shapesByConnection.get(connection) ?? new Map();
      shapesByConnection.set(connection, this.#shapes);
      const { parsedStatements } = connection as unknown as { parsedStatements: ParsedStatements };
      const messages = this.#messages(parsedStatements);
      this.#shape = this.#nextShape();
      connection.stream.write(Buffer.concat(messages));
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #messages(parsed: ParsedStatements): Buffer[] {
    const messages: Buffer[] = [];
    const parsedHere = new Map<string, string>();
    for (const { name = "", text, values } of this.#statements) {
      const parsedText = name === "" ? undefined : (parsed[name] ?? parsedHere.get(name));
      if (parsedText === undefined) messages.push(serialize.parse({ name, text }));
      else if (parsedText !== text) throw new Error(`the name "${name}" is of another prepared statement`);
      parsedHere.set(name, text);
      messages.push(serialize.bind({ statement: name, values: values as unknown[], valueMapper: utils.prepareValue }));
      if (!this.#shapes.has(name)) messages.push(serialize.describe({ type: "P" }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    return messages;
  }

  #nextShape(): Shape {
    return this.#shapes.get(this.name ?? "") ?? noRows;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID, format }) => this.#client.getTypeParser(dataTypeID, format)),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#parseError !== undefined) return;
    try {
      const { names, parsers } = this.#shape;
      const row: QueryResultRow = {};
      for (let index = 0; index < names.length; index += 1) {
        const text = fields[index];
        row[names[index] as string] = text == null ? null : parsers[index]?.(text);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#parseError = error as Error;
    }
  }

  /** `text` is, for example, `SELECT 2` or `INSERT 0 1`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const { name } = this;
    if (name !== undefined) this.#shapes.set(name, this.#shape);
    this.#results.push({ rows: this.#rows, rowCount: Number(text.slice(text.lastIndexOf(" ") + 1)) || 0 });
    this.#rows = [];
    this.#shape = this.#nextShape();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: "" });
  }

  /** For COPY FROM STDIN, PostgreSQL ignores the Sync and waits for data: the connection becomes unusable. */
  handleCopyInResponse({ stream }: Connection): void {
    stream.destroy(new Error("COPY FROM STDIN cannot be part of a batch"));
  }

  handleCopyData(): void {}

  /** Only at this response to the Sync is everything committed. */
  handleReadyForQuery(): void {
    if (this.#parseError === undefined) this.#resolve(this.#results);
    else this.#reject(this.#parseError);
  }

  /** Called by `pg` for PostgreSQL's errors, and if the connection is lost or unusable. */
  handleError(error: Error, connection: Connection): void {
    if (!(error instanceof DatabaseError)) {
      this.#reject(error);
      return;
    }
    error.message = `${error.message} (in ${this.#position()})`;
    // PostgreSQL skips the rest up to the Sync; its response says whether a transaction is still open.
    connection.once("readyForQuery", () => this.#reject(error));
    connection.once("end", () => this.#reject(error));
  }

  #position(): string {
    const statement = this.#current;
    if (statement === undefined) return "the commit";
    const name = statement.name ?? statement.text.trim().split("\n", 1)[0]?.slice(0, 60);
    return `statement ${this.#results.length + 1} of ${this.#statements.length}: ${name}`;
  }
}
