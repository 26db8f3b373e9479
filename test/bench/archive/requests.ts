// Requests to an application whose old rows are archived: reports, pages of lists, searches, lookups.

import { getReports } from "../reporting/queries.ts";
import type { Side } from "../sides.ts";
import { measureMs, median } from "../statistics.ts";
import { commonWord, rareWord } from "./traces.ts";

export interface Request {
  readonly name: string;
  readonly path: string;
  readonly body?: object;
  /** Target, if any: a ratio to PostgreSQL's time, or a time. */
  readonly aim?: string;
}

const reportAim = "≥ 3.3";
/** Daily rollups have no scores, so these reports read rows. PostgreSQL is fast at the others, too. */
const fromRows = "score below";
const searchAim = "< 300 ms";

const halfYear = "startDate=2026-02-01T00:00:00Z&endDate=2026-08-01T00:00:00Z";

/** Requests for `evaluations` and `traces`, with ids from the middle of the year; lists read the given store. */
export function getRequests(
  evaluations: number,
  traces: number,
  ids: { traceId: string; testId: string },
  store?: "archive",
): Request[] {
  const reports = getReports(evaluations).map(({ name, query }) => ({
    name: `report: ${name}`,
    path: "/v0/reporting/query",
    body: query,
    ...(name.includes(fromRows) && { aim: reportAim }),
  }));
  const tests = evaluations / 10;
  const page = (path: string, query = "") =>
    `${path}?${[query, store && `store=${store}`].filter((each) => each !== undefined && each !== "").join("&")}`;
  const getTraces = (query?: string) => page("/v0/traces", query);
  const getTests = (query?: string) => page("/v0/tests", query);
  return [
    ...reports,
    { name: "traces: first page", path: getTraces() },
    { name: "traces: in the middle", path: getTraces(`skip=${Math.floor(traces / 2)}`) },
    { name: "traces: of one reference", path: getTraces("referenceId=call-77") },
    { name: "traces: a rare word", path: getTraces(`search=${rareWord}`), aim: searchAim },
    { name: "traces: a common word", path: getTraces(`search=${commonWord}`), aim: searchAim },
    { name: "traces: two words", path: getTraces(`search=${commonWord}+baneko`), aim: searchAim },
    { name: "trace by id", path: `/v0/traces/${ids.traceId}` },
    { name: "steps of a trace", path: `/v0/traces/${ids.traceId}/steps` },
    { name: "tests: first page", path: getTests() },
    { name: "tests: in the middle of half a year", path: getTests(`${halfYear}&skip=${Math.floor(tests / 4)}`) },
    { name: "tests: failed", path: getTests("status=FAILED") },
    { name: "test by id", path: `/v0/tests/${ids.testId}` },
  ];
}

/** Median time and answer of each request. A function builds a new request for each round. */
export type Times = ReadonlyMap<string, { readonly ms: number; readonly answer: string; readonly aim?: string }>;

export async function measureTimes(
  side: Side,
  requests: readonly (Request | (() => Request))[],
  repetitions: number,
): Promise<Times> {
  const times = new Map<string, { ms: number; answer: string; aim?: string }>();
  for (const each of requests) {
    const next = typeof each === "function" ? each : () => each;
    const { name, aim } = next();
    const answer = await send(side, next());
    const measured: number[] = [];
    for (let at = 0; at < repetitions; at++) {
      const request = next();
      measured.push(await measureMs(() => send(side, request)));
    }
    times.set(name, { ms: median(measured), answer, ...(aim !== undefined && { aim }) });
  }
  return times;
}

async function send({ baseUrl, headers }: Side, { path, body }: Request): Promise<string> {
  const answer = await fetch(baseUrl + path, {
    headers,
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${answer.status} ${text.slice(0, 500)}`);
  return text;
}
