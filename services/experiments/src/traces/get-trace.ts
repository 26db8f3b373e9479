import type { Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { traceStepsBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import type { TraceRow } from "./entity.ts";
import { withEvals } from "./evals.ts";
import { trace } from "./messages.ts";
import { firstSteps, isTrace, stepColumns, stepOrder, traceColumns } from "./queries.ts";
import type { StoredStep } from "./step-row.ts";
import { traceIdOf } from "./trace-id.ts";

type Handler = Handlers<typeof TraceService>["getTrace"];

const byId = statementsOf("id", isTrace("$2"));

/** One trace of the caller's application, with its first steps. */
export function getTrace(deps: Pick<Deps, "database" | "references">): Handler {
  return async ({ id }, call) => ({ data: await readTrace(deps, call, byId, traceIdOf(id)) });
}

interface TraceTexts {
  readonly trace: Pick<Statement, "text"> & { readonly name: string };
  readonly steps: Pick<Statement, "text"> & { readonly name: string };
}

/** Statements of the newest trace that matches, with the value `$2`. */
export function statementsOf(name: string, condition: string): TraceTexts {
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
  };
}

export async function readTrace(
  deps: Pick<Deps, "database" | "references">,
  call: Call,
  texts: TraceTexts,
  value: string,
) {
  const values = [call.tenant.applicationId, value];
  const [rows, steps] = await deps.database.readAll(call, [
    { ...texts.trace, values },
    { ...texts.steps, values: [...values, traceStepsBytesMax] },
  ]);
  const [row] = await withEvals(deps, call, (rows ?? []) as TraceRow[]);
  if (row === undefined) throw notFound("Trace");
  return trace(row, steps as StoredStep[]);
}
