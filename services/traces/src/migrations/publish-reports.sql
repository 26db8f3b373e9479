-- Sessions of traces, by their id in the application and the id that is derived from it (traces/session.ts).
ALTER TABLE traces.trace ADD COLUMN session text, ADD COLUMN session_id uuid;
GRANT UPDATE (session, session_id) ON traces.trace TO ems_traces;
ALTER TABLE traces.trace NO FORCE ROW LEVEL SECURITY;
UPDATE traces.trace t SET session = found.session, session_id = (
    substr(digest, 1, 8) || '-' || substr(digest, 9, 4) || '-8' || substr(digest, 14, 3) || '-'
    || substr('89ab89ab89ab89ab', 1 + strpos('0123456789abcdef', substr(digest, 17, 1)) - 1, 1) || substr(digest, 18, 3)
    || '-' || substr(digest, 21, 12))::uuid
  FROM (
    SELECT t.application_id, t.id, named.session,
      encode(sha256(convert_to('["session","' || t.application_id || '",' || to_json(named.session) || ']', 'UTF8')), 'hex') AS digest
    FROM traces.trace t
    CROSS JOIN LATERAL (
      SELECT CASE WHEN json_typeof(t.metadata -> name) = 'object' AND name = 'session' THEN t.metadata -> name ->> 'id'
        WHEN json_typeof(t.metadata -> name) IN ('string', 'number') THEN t.metadata ->> name END AS session
      FROM unnest(ARRAY['session.id', 'sessionId', 'session_id', 'gen_ai.conversation.id', 'conversationId',
        'conversation_id', 'threadId', 'thread_id', 'session']) WITH ORDINALITY AS named (name, at)
      WHERE t.metadata -> name IS NOT NULL
      ORDER BY at) named
    WHERE json_typeof(t.metadata) = 'object' AND named.session <> '') found
  WHERE t.application_id = found.application_id AND t.id = found.id;
ALTER TABLE traces.trace FORCE ROW LEVEL SECURITY;
CREATE INDEX trace_session ON traces.trace (application_id, session_id, created_at, id) WHERE session_id IS NOT NULL;

-- Reports about traces and steps. The cost is null if it is unknown.
CREATE VIEW reporting.trace_v1 AS
  SELECT application_id, org_id, id, reference_id, test_id, type, has_error, end_user, session, session_id, service,
    version, environment, step_count,
    total_duration_ms,
    CASE WHEN priced_steps > 0 OR total_cost > 0 OR pinned & 4 > 0 THEN total_cost END AS known_cost, unpriced_steps,
    total_prompt_tokens, total_cached_tokens, total_cache_write_tokens, total_completion_tokens, total_reasoning_tokens,
    timestamp, created_at, modified_at
  FROM traces.trace;
GRANT SELECT ON reporting.trace_v1 TO ems_reporting;

CREATE VIEW reporting.step_v1 AS
  SELECT t.application_id, t.org_id, s.id, s.trace_id, t.test_id, s.type, t.end_user, t.session, t.service, t.version,
    t.environment, t.created_at, s.timestamp,
    coalesce(s.fields ->> 'status', 'success') AS status,
    s.fields ->> 'name' AS name,
    CASE WHEN s.type = 'tool' THEN s.fields ->> 'name' END AS tool,
    nullif(s.fields ->> 'modelId', '') AS model,
    s.fields -> 'own' ->> 'provider' AS provider,
    s.fields ->> 'error' AS error,
    (s.fields ->> 'durationMs')::bigint AS duration_ms,
    (s.fields ->> 'costAmount')::float8 AS cost,
    CASE WHEN s.fields ->> 'isUnpriced' = 'true' THEN 1 ELSE 0 END AS unpriced_steps,
    (s.fields -> 'usage' ->> 'promptTokens')::bigint AS input_tokens,
    coalesce((s.fields -> 'usage' ->> 'cachedTokens')::bigint, CASE WHEN s.fields -> 'usage' IS NOT NULL THEN 0 END)
      AS cached_input_tokens,
    coalesce((s.fields -> 'usage' ->> 'cacheWriteTokens')::bigint, CASE WHEN s.fields -> 'usage' IS NOT NULL THEN 0 END)
      AS cache_write_tokens,
    (s.fields -> 'usage' ->> 'completionTokens')::bigint AS output_tokens,
    coalesce((s.fields -> 'usage' ->> 'reasoningTokens')::bigint, CASE WHEN s.fields -> 'usage' IS NOT NULL THEN 0 END)
      AS reasoning_tokens
  FROM traces.trace t JOIN traces.trace_step s
    ON s.application_id = t.application_id AND s.trace_id = t.id AND s.month = date_trunc('month', t.created_at, 'UTC');
GRANT SELECT ON reporting.step_v1 TO ems_reporting;

CREATE OR REPLACE VIEW reporting.feedback_v1 AS
  SELECT application_id, org_id, id, trace_id, thumb, score, source, created_at, end_user
  FROM traces.feedback;

-- Reports read the archived part of traces, and the start of the retention period.
CREATE VIEW reporting.trace_archive_batch_v1 AS
  SELECT application_id, kind, number, starts, ends, state
  FROM traces.archive_extent;
GRANT SELECT ON reporting.trace_archive_batch_v1 TO ems_reporting;
