import type { JsonObject } from "@bufbuild/protobuf";
import type { Stores } from "@ems/archive";
import { Export, type ExportPlace } from "@ems/kit/db/export";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { exportLineBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { loadExternalEvaluations } from "../external-evaluations/index.ts";
import { readTracesAfter, type TraceRow } from "../traces/index.ts";
import { readAllSteps, readStepsAfter } from "./read-steps.ts";
import { continuedEvent, traceEvent } from "./trace-event.ts";

type Handler = Handlers<typeof TraceService>["downloadTraces"];

/** Maximum number of traces of a page, whose metadata and evaluations its size does not include. */
const tracesMax = 50;

interface Line {
  readonly event: JsonObject;
  readonly place: ExportPlace;
}

interface Lines {
  readonly lines: readonly Line[];
  /** True if further lines follow. */
  readonly hasNext: boolean;
}

/** Returns a page of the application's traces as lines of JSON, in the order of arrival. */
export function downloadTraces({ stores, clock }: Pick<Deps, "stores" | "clock">): Handler {
  return async (request, call) => {
    const exported = new Export(request, call.tenant.applicationId, clock.now());
    const { start, until } = exported;
    const page = { after: start, until, limit: tracesMax };
    const { lines, hasNext } =
      (start?.part && (await readRest(stores, call, start))) ??
      (await readTraces(stores, call, await readTracesAfter(stores, call, request, page)));
    const cursors = lines.map(({ place }) => exported.encode(place));
    const texts = lines.map(({ event }, index) => `${JSON.stringify({ ...event, cursor: cursors[index] })}\n`);
    const next = hasNext ? cursors.at(-1) : undefined;
    return { payload: Buffer.from(texts.join("")), ...(next !== undefined && { next }) };
  };
}

/** Reads the line with the next steps of a trace; undefined if there are none, since the trace was deleted. */
async function readRest(stores: Stores, call: Call, { createdAt, id, part }: ExportPlace): Promise<Lines | undefined> {
  const { steps, rest } = await readStepsAfter(stores.database, call, id, part);
  if (steps.length === 0) return undefined;
  return { lines: [{ event: continuedEvent(id, steps), place: { createdAt, id, part: rest } }], hasNext: true };
}

/** Reads the lines of the first traces, as many as fit in a page; of the first trace also a part. */
async function readTraces(stores: Stores, call: Call, rows: readonly TraceRow[]): Promise<Lines> {
  const [first] = rows;
  if (first === undefined) return { lines: [], hasNext: false };
  const isDivided = first.bytes > exportLineBytesMax;
  const fitting = isDivided ? [first] : selectFitting(rows);
  const ids = fitting.map(({ id }) => id);
  const [evaluations, { steps, rest }] = await Promise.all([
    loadExternalEvaluations(stores.database, call, ids),
    isDivided ? readStepsAfter(stores.database, call, first.id) : readAllSteps(stores.database, call, ids),
  ]);
  const byTrace = Map.groupBy(steps, ({ traceId }) => traceId);
  const lines = fitting.flatMap((row): Line[] => {
    const { createdAt, id } = row;
    const own = byTrace.get(id) ?? [];
    // The trace was deleted since its row was read.
    if (own.length === 0 && row.steps > 0) return [];
    return [{ event: traceEvent(row, evaluations.get(id) ?? [], own), place: { createdAt, id, part: rest } }];
  });
  return { lines, hasNext: rows.length === tracesMax || rows.length > fitting.length || rest !== undefined };
}

function selectFitting(rows: readonly TraceRow[]): TraceRow[] {
  let bytes = 0;
  return rows.filter((row) => {
    bytes += row.bytes;
    return bytes <= exportLineBytesMax;
  });
}
