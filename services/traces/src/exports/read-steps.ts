// Steps of exported traces, in their order within a trace, from PostgreSQL or from the archive.

import type { ArchivedQuery, Stores } from "@ems/archive";
import type { Database } from "@ems/kit/db/database";
import type { ExportedPart } from "@ems/kit/db/export";
import type { Call } from "@ems/kit/rpc/call";
import { exportLineBytesMax } from "@ems/proto/limits";
import {
  archivedStepsAfter,
  archivedTrace,
  archivedTraceSteps,
  type PlacedStep,
  placedColumns,
  type StoredStep,
  stepColumns,
  stepOrder,
  stepsOfTrace,
  type TraceRow,
  traceColumns,
} from "../traces/index.ts";

export interface ExportedSteps {
  readonly steps: readonly StoredStep[];
  /** Place of the last step, if the trace has further steps. */
  readonly rest?: ExportedPart | undefined;
}

type Place = Pick<TraceRow, "id" | "createdAt">;

export interface StepSource {
  readonly database: Database;
  findTrace(call: Call, id: string): Promise<TraceRow | undefined>;
  /** Reads all steps of traces. */
  readAll(call: Call, traces: readonly Place[]): Promise<ExportedSteps>;
  /** Reads the steps of a trace after a place, as many as fit in a line. */
  readAfter(call: Call, trace: Place, after?: ExportedPart): Promise<ExportedSteps>;
}

type CountedStep = PlacedStep & { readonly rest: number };

const start: ExportedPart = { timestamp: new Date("0001-01-01T00:00:00.000Z"), position: -1 };

const traceText = `SELECT ${traceColumns} FROM traces.trace t WHERE t.application_id = $1 AND t.id = $2`;

const allText = `SELECT ${stepColumns} FROM unnest($2::uuid[]) AS requested (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace t WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t
  CROSS JOIN LATERAL (SELECT s.* FROM ${stepsOfTrace}) s ORDER BY ${stepOrder}`;

const afterText = `SELECT ${placedColumns}, s.rest::float8 FROM (
    SELECT * FROM traces.trace t WHERE t.application_id = $1 AND t.id = $2) t
  CROSS JOIN LATERAL (
    SELECT s.*, sum(s.size) OVER (ORDER BY ${stepOrder} ROWS UNBOUNDED PRECEDING) - s.size AS before,
      count(*) OVER (ORDER BY ${stepOrder} ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS rest
    FROM ${stepsOfTrace} AND (s."timestamp", s."position") > ($3::timestamptz, $4::int)) s
  WHERE s.before = 0 OR s.before + s.size <= $5 ORDER BY ${stepOrder}`;

export class OwnSteps implements StepSource {
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async findTrace(call: Call, id: string): Promise<TraceRow | undefined> {
    const values = [call.tenant.applicationId, id];
    const [row] = await this.database.read<TraceRow>(call, { name: "exported-trace", text: traceText, values });
    return row;
  }

  async readAll(call: Call, traces: readonly Place[]): Promise<ExportedSteps> {
    const values = [call.tenant.applicationId, traces.map(({ id }) => id)];
    return { steps: await this.database.read<StoredStep>(call, { name: "export-steps", text: allText, values }) };
  }

  async readAfter(call: Call, { id }: Place, { timestamp, position }: ExportedPart = start): Promise<ExportedSteps> {
    const values = [call.tenant.applicationId, id, timestamp, position, exportLineBytesMax];
    const statement = { name: "export-steps-after", text: afterText, values };
    return withRest(await this.database.read<CountedStep>(call, statement));
  }
}

export class ArchivedSteps implements StepSource {
  readonly database: Database;
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.database = stores.database;
    this.#stores = stores;
  }

  async findTrace(call: Call, id: string): Promise<TraceRow | undefined> {
    const [row] = await this.#read(call, archivedTrace("t.id = {id:UUID}", { id }));
    return row;
  }

  async readAll(call: Call, traces: readonly Place[]): Promise<ExportedSteps> {
    return { steps: await this.#read(call, archivedTraceSteps(traces)) };
  }

  async readAfter(call: Call, trace: Place, after?: ExportedPart): Promise<ExportedSteps> {
    return withRest(await this.#read(call, archivedStepsAfter(trace, after, exportLineBytesMax)));
  }

  async #read<Row extends object>(call: Call, query: ArchivedQuery<Row>): Promise<Row[]> {
    const { archivedRanges } = await this.#stores.read(call, ["traces"], []);
    return this.#stores.rows(call, query, archivedRanges);
  }
}

function withRest(steps: readonly CountedStep[]): ExportedSteps {
  const last = steps.at(-1);
  return { steps, rest: last !== undefined && last.rest > 0 ? last : undefined };
}
