// Lookups and reports of old results and traces, whose answers are the same wherever the rows are.

import type { Tenant } from "@ems/kit/tenant";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { type ServiceHarness, testCall } from "@ems/test-support";
import type { Random } from "../oracle/random.ts";

export interface Services {
  readonly experiments: ServiceHarness;
  readonly reporting: ServiceHarness;
  readonly random: Random;
  readonly requestMs: number;
}

export interface Request {
  readonly name: string;
  readonly read: () => Promise<unknown>;
}

/** Random rows of a tenant. */
export async function buildRequests(
  { experiments, reporting, random, requestMs }: Services,
  tenant: Tenant,
): Promise<Request[]> {
  const { database } = experiments;
  const [tests, traces] = [experiments.client(TestService), experiments.client(TraceService)];
  const evaluations = experiments.client(EvaluationService);
  const call = () => testCall(tenant, requestMs);
  const readIds = async (table: string) => {
    const text = `SELECT id FROM ${table} WHERE application_id = $1 ORDER BY id`;
    return (await database.sql<{ id: string }>(text, [tenant.applicationId])).map(({ id }) => id);
  };
  const requests: Request[] = [];
  const add = (name: string, read: () => Promise<unknown>) => requests.push({ name, read });
  for (const id of random.sample(await readIds("experiments.test"), 8))
    add(`test ${id}`, () => tests.getTest({ id }, call()));
  for (const id of random.sample(await readIds("experiments.evaluation"), 6)) {
    add(`evaluation ${id}`, () => evaluations.getEvaluation({ id }, call()));
  }
  for (const id of random.sample(await readIds("traces.trace"), 6)) {
    add(`trace ${id}`, () => traces.getTrace({ id }, call()));
    add(`steps ${id}`, () => traces.listTraceSteps({ id }, call()));
  }
  const count = { measurements: [{ type: "count" }, { type: "avg", column: "score" }] };
  const byDay = { groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }], ...count };
  const byDefinition = { groupBy: [{ column: "definitionId", type: "string" }], ...count };
  for (const datasource of ["eval", "test"]) {
    for (const report of [
      count,
      byDay,
      { ...byDay, timezone: "Asia/Tokyo" },
      ...(datasource === "eval" ? [byDefinition] : []),
      { orderBy: [{ column: "score", direction: "asc" }], limit: 10 },
    ]) {
      add(`report ${datasource} ${JSON.stringify(report)}`, async () => {
        const request = { datasource, timezone: "UTC", limit: 100, ...report };
        const { data, pagination } = await reporting.client(ReportingService).queryReport(request, call());
        return { results: data?.results, total: pagination?.total };
      });
    }
  }
  return requests;
}
