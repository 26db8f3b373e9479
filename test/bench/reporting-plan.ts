import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { createLog } from "@ems/kit/log";
import { planQuery } from "@ems/reporting/query";
import { reportingSchema } from "@ems/reporting/schema";
import { postgresStore } from "@ems/reporting/store";
import type { ReportQuery } from "./reporting-queries.ts";

/** Whether the product answers from sums by day or from the rows themselves. */
export async function planOf(
  url: string,
  tenant: { readonly applicationId: string; readonly orgId: string },
  query: ReportQuery,
): Promise<string> {
  const log = createLog("bench", "silent");
  const dataSource = serviceDataSource({ url, poolMax: 1, schema: reportingSchema, log });
  await dataSource.initialize();
  try {
    const { plan, faults } = planQuery({
      groupBy: [],
      measurements: [],
      orderBy: [],
      ...query,
      filters: (query.filters ?? []).map((filter) => ({ ...filter, value: filter.value.map(value) })),
      skip: BigInt(query.skip ?? 0),
    });
    if (plan === undefined) throw new Error(JSON.stringify(faults));
    const call = {
      caller: "bench",
      requestId: "bench",
      tenant: { ...tenant, userId: "bench" },
      deadlineMs: Date.now() + 60_000,
      signal: new AbortController().signal,
    };
    const { readFrom } = await postgresStore(new Database(dataSource), { connectionsMax: 3, deepSkipMin: 200_000 }).run(
      call,
      plan,
    );
    return readFrom;
  } finally {
    await dataSource.destroy();
  }
}

function value(json: JsonValue) {
  return fromJson(ValueSchema, json);
}
