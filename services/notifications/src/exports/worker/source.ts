// The rows to export, which their services return page by page.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { createTenantContext } from "@ems/kit/rpc/call";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Dataset } from "../entity.ts";

export interface ExportPage {
  /** Lines, each with a line break at its end. */
  readonly payload: Uint8Array;
  /** Cursor of the next page; undefined on the last one. */
  readonly next?: string | undefined;
}

/** A period of an application's dataset. */
export interface ExportedRange {
  readonly applicationId: string;
  readonly orgId: string;
  readonly dataset: Dataset;
  readonly periodStart: Date;
  /** Not part of the period. */
  readonly periodEnd: Date;
}

export interface ExportSource {
  /** True if no row of the period is still in progress. */
  isComplete(range: ExportedRange, signal: AbortSignal): Promise<boolean>;
  read(range: ExportedRange, after: string | undefined, signal: AbortSignal): Promise<ExportPage>;
}

export interface ExportClients {
  readonly traces: Pick<Client<typeof TraceService>, "downloadTraces">;
  readonly tests: Pick<Client<typeof TestService>, "downloadTests" | "listTests">;
}

const unfinished = [ResultStatus.PENDING, ResultStatus.IN_PROGRESS];
const pageTimeoutMs = 30_000;

export function exportSource({ traces, tests }: ExportClients): ExportSource {
  const options = ({ applicationId, orgId }: ExportedRange, signal: AbortSignal) => {
    const contextValues = createTenantContext({ applicationId, orgId, userId: "", isBackground: true });
    return { contextValues, signal, timeoutMs: pageTimeoutMs };
  };
  return {
    // Traces are complete after the delay; tests wait for judges, and for the application.
    isComplete: async (range, signal) => {
      if (range.dataset === "TRACES") return true;
      const { startDate, endDate } = toDates(range);
      const request = { startDate, endDate, status: unfinished, limit: 1 };
      const { data } = await tests.listTests(request, options(range, signal));
      return data.length === 0;
    },
    read: async (range, after, signal) => {
      const { startDate, endDate } = toDates(range);
      const position = after === undefined ? {} : { after };
      if (range.dataset === "TESTS")
        return tests.downloadTests({ startDate, endDate, ...position }, options(range, signal));
      const request = { createdFrom: startDate, createdUntil: endDate, ...position };
      return traces.downloadTraces(request, options(range, signal));
    },
  };
}

/** The first and the last millisecond of a period, because the filters include both. */
function toDates({ periodStart, periodEnd }: ExportedRange) {
  return {
    startDate: timestampFromDate(periodStart),
    endDate: timestampFromDate(new Date(periodEnd.getTime() - 1)),
  };
}
