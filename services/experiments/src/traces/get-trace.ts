import { clipped } from "@ems/kit/archive";
import type { Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { traceStepsBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { withEvals } from "./evals.ts";
import { trace } from "./messages.ts";
import {
  archivedTraceColumns,
  firstSteps,
  isTrace,
  readArchivedSteps,
  stepColumns,
  stepOrder,
  traceColumns,
} from "./queries.ts";
import type { StoredStep } from "./step-row.ts";
import { traceIdOf } from "./trace-id.ts";

type Handler = Handlers<typeof TraceService>["getTrace"];

export const byId = traceTexts("id", isTrace("$2"), isTrace("{value:UUID}"));

/** One trace of the caller's application, with its first steps. */
export function getTrace(deps: Pick<Deps, "stores" | "references">): Handler {
  return async ({ id }, call) => ({ data: await readTrace(deps, call, byId, traceIdOf(id)) });
}

interface TraceTexts {
  readonly trace: Pick<Statement, "text"> & { readonly name: string };
  readonly steps: Pick<Statement, "text"> & { readonly name: string };
  /** Of the archive. */
  readonly archived: string;
}

/** Statements of the newest trace that matches, with the value `$2` or, in the archive, `{value:UUID}`. */
export function traceTexts(name: string, condition: string, archivedCondition: string): TraceTexts {
  const newest = `SELECT * FROM experiments.trace t
    WHERE t.application_id = $1 AND ${condition} ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;
  return {
    trace: { name: `get-trace-by-${name}`, text: `SELECT ${traceColumns} FROM (${newest}) t` },
    steps: {
      name: `get-steps-by-${name}`,
      // A step that alone exceeds the limit is answered, too.
      text: `SELECT ${stepColumns} FROM (${newest}) t CROSS JOIN LATERAL ${firstSteps}
        WHERE s.before = 0 OR s.before + s.size <= $3 ORDER BY ${stepOrder}`,
    },
    archived: `SELECT ${archivedTraceColumns} FROM trace t
      WHERE ${archivedCondition} ORDER BY t.created_at DESC, toString(t.id) DESC LIMIT 1`,
  };
}

export async function readTrace(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  texts: TraceTexts,
  value: string,
) {
  const { stores } = deps;
  const values = [call.tenant.applicationId, value];
  const { found, dropped } = await stores.read(
    call,
    ["traces"],
    [
      { ...texts.trace, values },
      { ...texts.steps, values: [...values, traceStepsBytesMax] },
    ],
  );
  const [own] = (found[0] ?? []) as TraceRow[];
  const newer = clipped(dropped.traces, own?.createdAt);
  const [archived] = await stores.readDroppedRows(call, TraceEntity, newer, texts.archived, { value });
  const [row] = await withEvals(
    deps,
    call,
    [archived ?? own].filter((one) => one !== undefined),
  );
  if (row === undefined) throw notFound("Trace");
  if (archived === undefined) return trace(row, found[1] as StoredStep[]);
  const limits = { bytes: traceStepsBytesMax, isAny: true };
  return trace(row, await readArchivedSteps(stores, call, newer, [archived], limits));
}
