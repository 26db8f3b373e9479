-- Returns the newest 10,000 of the tenant's traces that contain all words. If there are more, days are searched from
-- the latest, by their keys: a common word costs about as much as 10,000 traces. The tenant comes from the
-- transaction's setting, never from an argument, and is compared so that only the index of words can serve.
CREATE FUNCTION traces.find_traces(needle text) RETURNS SETOF uuid
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
  found := ARRAY(SELECT w.trace_id FROM traces.trace_words w
    WHERE w.words @> wanted AND NOT w.application_id IS DISTINCT FROM tenant LIMIT most + 1);
  IF cardinality(found) <= most THEN
    RETURN QUERY SELECT unnest(found);
  ELSE
    SELECT floor(extract(epoch FROM min(t.created_at)) / 86400), floor(extract(epoch FROM max(t.created_at)) / 86400)
      INTO first_day, last_day FROM traces.trace t WHERE t.application_id = tenant;
    FOR day IN REVERSE last_day..first_day LOOP
      RETURN QUERY SELECT w.trace_id FROM traces.trace_words w
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
        SELECT DISTINCT w.trace_id FROM traces.trace_words w
        WHERE w.words @> ARRAY[key, split] AND NOT w.application_id IS DISTINCT FROM tenant
      ) one
      GROUP BY 1 HAVING count(*) = cardinality(wanted) LIMIT most;
  END IF;
END $$;
REVOKE ALL ON FUNCTION traces.find_traces FROM PUBLIC;
GRANT EXECUTE ON FUNCTION traces.find_traces TO ems_traces;
