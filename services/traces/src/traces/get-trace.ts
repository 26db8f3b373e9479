import type { ArchivedQuery } from "@ems/archive";
import type { Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { traceStepsBytesMax } from "@ems/proto/limits";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import type { TraceRow } from "./entity.ts";
import { withEvals } from "./evals.ts";
import { trace } from "./messages.ts";
import { loadOpinions } from "./opinions.ts";
import {
  archivedFirstSteps,
  archivedTrace,
  firstSteps,
  isTrace,
  readContinuations,
  stepColumns,
  stepOrder,
  traceColumns,
} from "./queries.ts";
import type { StoredStep } from "./step-row.ts";

type Handler = Handlers<typeof TraceService>["getTrace"];

/** Reads the question and the answer of a trace; of an archived one, from its first steps. */
export type ReadConversation = (
  call: Call,
  trace: Pick<TraceRow, "id" | "createdAt"> & { readonly archivedSteps?: readonly StoredStep[] },
) => Promise<{ readonly question?: string; readonly answer?: string }>;

export interface TraceDeps extends Pick<Deps, "stores" | "references"> {
  readonly readConversation: ReadConversation;
}

const byId = traceTexts("id", isTrace("$2"));

/** Returns a trace of the caller's application with its first steps. */
export function getTrace(deps: TraceDeps): Handler {
  return async ({ id }, call) => {
    const traceId = toTraceId(id);
    return { data: await readTrace(deps, call, byId, traceId, async () => archivedTraceQuery(traceId)) };
  };
}

/** Builds the archive query for the trace with the id. */
export function archivedTraceQuery(id: string): ArchivedQuery<TraceRow> {
  return archivedTrace(isTrace("{id:UUID}"), { id });
}

interface TraceTexts {
  readonly trace: Pick<Statement, "text"> & { readonly name: string };
  readonly steps: Pick<Statement, "text"> & { readonly name: string };
}

/** Builds the statements for the newest trace that matches the condition, whose value is `$2`. */
export function traceTexts(name: string, condition: string): TraceTexts {
  const newest = `SELECT * FROM traces.trace t
    WHERE t.application_id = $1 AND ${condition} ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;
  return {
    trace: { name: `get-trace-by-${name}`, text: `SELECT ${traceColumns} FROM (${newest}) t` },
    steps: {
      name: `get-steps-by-${name}`,
      // Returns the first step even if it alone exceeds the limit.
      text: `SELECT ${stepColumns} FROM (${newest}) t CROSS JOIN LATERAL ${firstSteps}
        WHERE s.before = 0 OR s.before + s.size <= $3 ORDER BY ${stepOrder}`,
    },
  };
}

/** Reads a trace with its first steps. `buildArchived` builds the archive query if PostgreSQL has no such trace. */
export async function readTrace(
  deps: TraceDeps,
  call: Call,
  texts: TraceTexts,
  value: string,
  buildArchived: () => Promise<ArchivedQuery<TraceRow>>,
) {
  const { stores } = deps;
  const values = [call.tenant.applicationId, value];
  const statements = [
    { ...texts.trace, values },
    { ...texts.steps, values: [...values, traceStepsBytesMax] },
  ];
  const { found, archivedRanges } = await stores.read(call, ["traces"], statements);
  const [own] = (found[0] ?? []) as TraceRow[];
  if (own !== undefined) {
    const [[row = own], opinions, conversation] = await Promise.all([
      withEvals(deps, call, [own]),
      loadOpinions(stores.database, call, [own.id]),
      deps.readConversation(call, own),
    ]);
    return trace({ ...row, ...opinions(own.id), ...conversation }, found[1] as StoredStep[]);
  }
  const [archived] = stores.hasArchive ? await stores.rows(call, await buildArchived(), archivedRanges) : [];
  if (archived === undefined) throw notFound("Trace");
  const limits = { bytes: traceStepsBytesMax, isAny: true };
  const [[row = archived], steps, continuations, opinions] = await Promise.all([
    withEvals(deps, call, [archived]),
    stores.rows(call, archivedFirstSteps([archived], limits), archivedRanges),
    readContinuations(stores, call, [archived]),
    loadOpinions(stores.database, call, [archived.id]),
  ]);
  const conversation = await deps.readConversation(call, { ...archived, archivedSteps: steps });
  const continuedBy = continuations.get(row.id) ?? null;
  return trace({ ...row, continuedBy, ...opinions(row.id), ...conversation }, steps);
}
