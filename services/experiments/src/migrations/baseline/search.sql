-- Baseline: the migration MoveTraces of services/traces takes these tables over. Their columns now are in services/traces/schema.txt.
-- Words of traces, in the same partitions as their steps, and the queue of traces that are not indexed yet.

-- Keys of words are shorter than words and specific to an application.
CREATE TABLE experiments.trace_words (
  application_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  part integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  words bigint[] NOT NULL,
  CONSTRAINT trace_words_pkey PRIMARY KEY (application_id, trace_id, part, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX trace_words_words ON experiments.trace_words USING gin (words);
-- Keys cannot be compressed, and no plan depends on their distribution.
ALTER TABLE experiments.trace_words ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE experiments.trace_words ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.trace_words
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- For find_traces, which runs as the owner and checks the tenant itself.
CREATE POLICY search ON experiments.trace_words FOR SELECT TO ems_owner USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.trace_words TO ems_experiments;

CREATE TABLE experiments.search_job (
  application_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id text NOT NULL,
  trace_ids uuid[] NOT NULL,
  positions integer[] NOT NULL,
  bytes bigint NOT NULL,
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  leased_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  CONSTRAINT search_job_pkey PRIMARY KEY (application_id, id)
) WITH (fillfactor = 70);
CREATE INDEX search_job_due ON experiments.search_job (leased_until, queued_at);
ALTER TABLE experiments.search_job ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.search_job
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.search_job TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, DELETE ON experiments.search_job TO ems_experiments;
GRANT SELECT ON experiments.search_job TO ems_experiments_relay;
GRANT UPDATE (leased_until) ON experiments.search_job TO ems_experiments_relay;

-- Returns the tenant's traces that have all words: the newest 10,000. If there are more, days are searched by their
-- keys, starting with the last one: a common word costs about as much as 10,000 traces. The tenant is the
-- transaction's setting, never an argument, and is compared so that only the index on words applies.
CREATE FUNCTION experiments.find_traces(needle text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off SET max_parallel_workers_per_gather = 0 SET work_mem = '32MB' AS $$
DECLARE
  most CONSTANT integer := 10000;
  tenant uuid := nullif(current_setting('ems.application_id', true), '')::uuid;
  keys bigint[] := needle::bigint[];
  split bigint := keys[1];
  wanted bigint[] := keys[2:];
  found uuid[];
  number integer := 0;
  more integer;
  first_day bigint;
  last_day bigint;
BEGIN
  IF cardinality(wanted) = 0 THEN
    RETURN;
  END IF;
  found := ARRAY(SELECT w.trace_id FROM experiments.trace_words w
    WHERE w.words @> wanted AND NOT w.application_id IS DISTINCT FROM tenant LIMIT most + 1);
  IF cardinality(found) <= most THEN
    RETURN QUERY SELECT unnest(found);
  ELSE
    SELECT floor(extract(epoch FROM min(t.created_at)) / 86400), floor(extract(epoch FROM max(t.created_at)) / 86400)
      INTO first_day, last_day FROM experiments.trace t WHERE t.application_id = tenant;
    FOR day IN REVERSE last_day..first_day LOOP
      RETURN QUERY SELECT w.trace_id FROM experiments.trace_words w
        WHERE w.words @> (wanted || -day) AND NOT w.application_id IS DISTINCT FROM tenant
          AND w.created_at >= to_timestamp(day * 86400) AND w.created_at < to_timestamp((day + 1) * 86400)
        ORDER BY w.created_at DESC LIMIT most - number;
      GET DIAGNOSTICS more = ROW_COUNT;
      number := number + more;
      EXIT WHEN number >= most;
    END LOOP;
  END IF;
  IF cardinality(wanted) > 1 THEN
    RETURN QUERY SELECT one.trace_id FROM unnest(wanted) key, LATERAL (
        SELECT DISTINCT w.trace_id FROM experiments.trace_words w
        WHERE w.words @> ARRAY[key, split] AND NOT w.application_id IS DISTINCT FROM tenant
      ) one
      GROUP BY 1 HAVING count(*) = cardinality(wanted) LIMIT most;
  END IF;
END $$;
REVOKE ALL ON FUNCTION experiments.find_traces FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.find_traces TO ems_experiments;
