import type { JsonObject } from "@bufbuild/protobuf";
import { Export, type ExportPlace } from "@ems/kit/db/export";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { exportLineBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { type ExternalEvaluationRow, loadExternalEvaluations } from "../external-evaluations/index.ts";
import { readTracesAfter, type StoredStep, type TraceRow } from "../traces/index.ts";
import { ArchivedSteps, OwnSteps, type StepSource } from "./read-steps.ts";
import { stepRows } from "./step-rows.ts";
import { continuedEvent, traceEvent } from "./trace-event.ts";

type Handler = Handlers<typeof TraceService>["downloadTraces"];

/** Maximum number of traces of a page, whose metadata and evaluations its size does not include. */
const tracesMax = 50;

interface Line {
  readonly trace: TraceRow;
  readonly evaluations: readonly ExternalEvaluationRow[];
  readonly steps: readonly StoredStep[];
  /** True if earlier lines contain the trace itself. */
  readonly isContinued: boolean;
  readonly place: ExportPlace;
}

interface Lines {
  readonly lines: readonly Line[];
  /** The last place of the page, if further ones may follow. */
  readonly last: ExportPlace | undefined;
}

/** Returns a page of the application's traces as lines of JSON or as rows of their steps, in the order of arrival. */
export function downloadTraces({ stores, clock }: Pick<Deps, "stores" | "clock">): Handler {
  return async (request, call) => {
    const exported = new Export(request, call.tenant.applicationId, clock.now());
    const { start, until } = exported;
    const page = { after: start, until, limit: tracesMax };
    const steps = request.store === "archive" ? new ArchivedSteps(stores) : new OwnSteps(stores.database);
    const { lines, last } =
      (start?.part && (await readRest(steps, call, start))) ??
      (await readTraces(steps, call, await readTracesAfter(stores, call, request, page)));
    const next = last === undefined ? {} : { next: exported.encode(last) };
    if (request.format === "parquet")
      return { rows: lines.flatMap(({ trace, steps }) => stepRows(trace, steps)), ...next };
    const texts = lines.map((line) => `${JSON.stringify(toEvent(line, exported))}\n`);
    return { payload: Buffer.from(texts.join("")), ...next };
  };
}

function toEvent({ trace, evaluations, steps, isContinued, place }: Line, exported: Export): JsonObject {
  const event = isContinued ? continuedEvent(trace.id, steps) : traceEvent(trace, evaluations, steps);
  return { ...event, cursor: exported.encode(place) };
}

/** Reads the line with the next steps of a trace; undefined if there are none, since the trace was deleted. */
async function readRest(
  stored: StepSource,
  call: Call,
  { createdAt, id, part }: ExportPlace,
): Promise<Lines | undefined> {
  const [trace, { steps, rest }] = await Promise.all([
    stored.findTrace(call, id),
    stored.readAfter(call, { id, createdAt }, part),
  ]);
  if (trace === undefined || steps.length === 0) return undefined;
  const place = { createdAt, id, part: rest };
  return { lines: [{ trace, evaluations: [], steps, isContinued: true, place }], last: place };
}

/** Reads the lines of the first traces, as many as fit in a page; of the first trace also a part. */
async function readTraces(stored: StepSource, call: Call, rows: readonly TraceRow[]): Promise<Lines> {
  const [first] = rows;
  if (first === undefined) return { lines: [], last: undefined };
  const isDivided = first.bytes > exportLineBytesMax;
  const fitting = isDivided ? [first] : selectFitting(rows);
  const ids = fitting.map(({ id }) => id);
  const [evaluations, { steps, rest }] = await Promise.all([
    // Evaluations of archived traces stay in PostgreSQL.
    loadExternalEvaluations(stored.database, call, ids),
    isDivided ? stored.readAfter(call, first) : stored.readAll(call, fitting),
  ]);
  const byTrace = Map.groupBy(steps, ({ traceId }) => traceId);
  const toPlace = ({ createdAt, id }: TraceRow) => ({ createdAt, id, part: rest });
  const lines = fitting.map((trace) => ({
    trace,
    evaluations: evaluations.get(trace.id) ?? [],
    steps: byTrace.get(trace.id) ?? [],
    isContinued: false,
    place: toPlace(trace),
  }));
  const hasNext = rows.length === tracesMax || rows.length > fitting.length || rest !== undefined;
  return {
    // Traces without their steps were deleted since their rows were read.
    lines: lines.filter((line) => line.steps.length > 0 || line.trace.steps === 0),
    last: hasNext ? toPlace(fitting.at(-1) ?? first) : undefined,
  };
}

function selectFitting(rows: readonly TraceRow[]): TraceRow[] {
  let bytes = 0;
  return rows.filter((row) => {
    bytes += row.bytes;
    return bytes <= exportLineBytesMax;
  });
}
