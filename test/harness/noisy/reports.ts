import { requestNoise } from "./noise.ts";

const queries = [
  { datasource: "task", groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }] },
  { datasource: "task", groupBy: [{ column: "topicId", type: "string" }] },
  { datasource: "task", limit: 100, orderBy: [{ column: "title", direction: "asc" }] },
];
const bodies = queries.map((query) =>
  JSON.stringify({ timezone: "UTC", measurements: "groupBy" in query ? [{ type: "count" }] : [], ...query }),
);

/** Requests reports on all of its data. */
export const reports = requestNoise(20, (_, turn) => ({
  method: "POST",
  path: "/v0/reporting/query",
  body: bodies[turn % bodies.length] ?? "",
}));
