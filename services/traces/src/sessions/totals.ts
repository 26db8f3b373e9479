// Totals of a session's traces, by SQL.

/** Condition: trace `t` is past its retention or belongs to session `s`. */
const traces = "FROM traces.trace t WHERE t.application_id = s.application_id AND t.session_id = s.id";

/** SQL condition: the cost of trace `t` is known. */
const isPriced = "(t.priced_steps > 0 OR t.total_cost > 0 OR t.pinned & 4 > 0)";
const usersMax = 100;

/** Columns of SessionTotals, from `x` and `e` of `joinTotals`. */
export const totalColumns = `x.turns::text, x.errors::text, x.users, x.cost, x.unpriced::text, x.duration::text,
  x.input::text, x.cached::text, x."cacheWrites"::text, x.output::text, x.reasoning::text, x."startedAt", x."latestAt",
  e.evaluations::text, e.passed::text, e.failed::text`;

/** Joins the totals to sessions `s`. */
export const joinTotals = `CROSS JOIN LATERAL (
    SELECT count(*) AS turns, count(*) FILTER (WHERE t.has_error) AS errors,
      coalesce((array_agg(DISTINCT t.end_user ORDER BY t.end_user) FILTER (WHERE t.end_user IS NOT NULL))[:${usersMax}], '{}') AS users,
      sum(t.total_cost::text::numeric) FILTER (WHERE ${isPriced})::float8 AS cost,
      coalesce(sum(t.unpriced_steps), 0) AS unpriced, coalesce(sum(t.total_duration_ms), 0) AS duration,
      coalesce(sum(t.total_prompt_tokens), 0) AS input, coalesce(sum(t.total_cached_tokens), 0) AS cached,
      coalesce(sum(t.total_cache_write_tokens), 0) AS "cacheWrites",
      coalesce(sum(t.total_completion_tokens), 0) AS output, coalesce(sum(t.total_reasoning_tokens), 0) AS reasoning,
      min(t.timestamp) AS "startedAt", max(t.timestamp) AS "latestAt"
    ${traces}) x
  CROSS JOIN LATERAL (
    SELECT count(*) AS evaluations, count(*) FILTER (WHERE v.passed) AS passed,
      count(*) FILTER (WHERE NOT v.passed) AS failed
    FROM traces.evaluation_v1 v WHERE v.application_id = s.application_id AND v.replaced_by IS NULL
      AND v.test_id IN (SELECT t.test_id ${traces} AND t.test_id IS NOT NULL)) e`;

export interface SessionTotals {
  readonly turns: string;
  readonly errors: string;
  readonly users: string[];
  readonly cost: number | null;
  readonly unpriced: string;
  readonly duration: string;
  readonly input: string;
  readonly cached: string;
  readonly cacheWrites: string;
  readonly output: string;
  readonly reasoning: string;
  readonly startedAt: Date | null;
  readonly latestAt: Date | null;
  readonly evaluations: string;
  readonly passed: string;
  readonly failed: string;
}
