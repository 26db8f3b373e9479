// Reads the parts of a stored trace that paths select: for each path at most `stepsMax` steps and about `bytesMax`.

import type { Database, Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { type PathValue, Search } from "./find-values.ts";
import type { PathField, StepPart, TracePath, TracePaths } from "./path.ts";

const stepsMax = 1_000;
const bytesMax = 8 * 1024 * 1024;

/** A stored trace, and the number of its first steps to look at. */
export interface SearchedTrace {
  readonly id: string;
  readonly createdAt: Date;
  readonly steps: number;
}

export interface StoredValue extends PathValue {
  /** The step with the value; null for metadata of the trace. */
  readonly stepId: string | null;
}

/** The values of a path in a trace, and the reason when there are none. */
export interface StoredValues {
  readonly path: TracePath;
  values(): Generator<StoredValue>;
  /** Says why `values` yielded nothing; to call afterwards. */
  explain(): string;
}

interface Row {
  readonly id: string | null;
  readonly text: string | null;
}

const columns: Readonly<Record<StepPart, string>> = {
  input: "s.input",
  output: "s.output",
  metadata: "(s.fields -> 'metadata')::text",
  params: "(s.fields -> 'params')::text",
  name: "s.fields ->> 'name'",
};

// The month of the trace is a parameter, so that PostgreSQL opens only one partition. Long texts are fetched only for
// the selected rows.
const select = (part: StepPart, direction: "" | " DESC") => `
  SELECT s.id, ${columns[part]} AS text FROM (
    SELECT f.id, f.input, f.output, f.fields, f."timestamp", f."position",
      sum(f.size) OVER (ORDER BY f."timestamp"${direction}, f."position"${direction} ROWS UNBOUNDED PRECEDING) - f.size AS before
    FROM (SELECT s.* FROM traces.trace_step s
      WHERE s.application_id = $1 AND s.month = $2 AND s.trace_id = $3 AND s."position" < $4
        AND (NOT $5::boolean OR s.parent_id IS NULL) AND ($6::text IS NULL OR s.type = $6)
        AND ($7::text IS NULL OR s.fields ->> 'name' = $7)
      ORDER BY s."timestamp"${direction}, s."position"${direction} OFFSET $8 LIMIT $9) f) s
  WHERE s.before < ${bytesMax} ORDER BY s."timestamp"${direction}, s."position"${direction}`;

const metadata = `SELECT NULL AS id, t.metadata::text AS text FROM traces.trace t
  WHERE t.application_id = $1 AND t.id = $2 AND t.metadata::text <> '{}'`;

/** Returns the values of those fields that have a path, read together. */
export async function readStoredValues<Field extends PathField>(
  database: Pick<Database, "readAll">,
  call: Call,
  trace: SearchedTrace,
  paths: TracePaths,
  fields: readonly Field[],
): Promise<Map<Field, StoredValues>> {
  const searched = fields.flatMap((field) => {
    const path = paths[field];
    return path === undefined ? [] : [{ field, path }];
  });
  if (searched.length === 0) return new Map();
  const { applicationId } = call.tenant;
  const results = await database.readAll(
    call,
    searched.map(({ path }) => toStatement(applicationId, trace, path)),
  );
  // Safe cast: the statements select these columns.
  const rows = (index: number) => (results[index] ?? []) as Row[];
  return new Map(searched.map(({ field, path }, index) => [field, storedValues(path, rows(index))]));
}

function toStatement(applicationId: string, { id, createdAt, steps }: SearchedTrace, path: TracePath): Statement {
  const { steps: selector, part } = path;
  if (selector === undefined) return { name: "path-trace", text: metadata, values: [applicationId, id] };
  const month = new Date(Date.UTC(createdAt.getUTCFullYear(), createdAt.getUTCMonth()));
  const { isRoot, type = null, name = null, position } = selector;
  const isFromEnd = position !== undefined && position < 0;
  const skip = position === undefined ? 0 : isFromEnd ? -position - 1 : position;
  return {
    name: `path-${part}${isFromEnd ? "-last" : ""}`,
    text: select(part, isFromEnd ? " DESC" : ""),
    values: [applicationId, month, id, steps, isRoot, type, name, skip, position === undefined ? stepsMax : 1],
  };
}

function storedValues(path: TracePath, rows: readonly Row[]): StoredValues {
  const search = new Search(path);
  return {
    path,
    *values() {
      for (const { id, text } of rows)
        for (const value of search.valuesIn(text ?? undefined)) yield { ...value, stepId: id };
    },
    explain: () => search.explain(),
  };
}
