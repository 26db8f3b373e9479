-- Retention of traces and results. Policies, created when days are first set, hide expired rows; whole months are
-- dropped, other rows are deleted.

-- Installations without retention have no such policies, since they cost a look-up per statement and planner
-- statistics. The subquery is evaluated once per statement, also for indexes and partitions. The deleting role sees
-- the expired rows.
CREATE FUNCTION experiments.hide_expired() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  hidden record;
BEGIN
  FOR hidden IN
    SELECT h.kind, h.place FROM (VALUES ('traces', 'trace'), ('results', 'test'), ('results', 'evaluation')) h (kind, place)
    JOIN experiments.retention r ON r.kind = h.kind AND r.days IS NOT NULL
    WHERE NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = format('experiments.%I', h.place)::regclass AND p.polname = 'kept')
  LOOP
    EXECUTE format('CREATE POLICY kept ON experiments.%I AS RESTRICTIVE FOR SELECT TO ems_experiments, ems_owner
      USING (created_at >= (SELECT CASE WHEN current_setting(''ems.retention'', true) = ''deletes'' THEN ''-infinity''
        ELSE experiments.kept_since(%L) END))', hidden.place, hidden.kind);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION experiments.hide_expired FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.hide_expired TO ems_experiments_relay;

-- Detaches one month at a time. The lock on the parent is brief, and its lock_timeout limits the wait of statements
-- that queue behind it.
CREATE FUNCTION experiments.detach_expired(expired text, before timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC' SET lock_timeout = '100ms' AS $$
DECLARE
  month record;
BEGIN
  SELECT p.relname AS parent, c.relname AS part INTO month
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relnamespace = 'experiments'::regnamespace AND c.relname ~ ('^' || p.relname || '_[0-9]{4}_[0-9]{2}$')
    AND p.relname = ANY (CASE expired WHEN 'traces' THEN '{trace_step,trace_words}' WHEN 'results' THEN '{test,evaluation}' END::text[])
    AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= least(before, experiments.kept_since(expired))
  ORDER BY c.relname LIMIT 1;
  IF month IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('ALTER TABLE experiments.%I DETACH PARTITION experiments.%I', month.parent, month.part);
  EXECUTE format('ALTER TABLE experiments.%I NO FORCE ROW LEVEL SECURITY', month.part);
  EXECUTE format('ALTER TABLE experiments.%I RENAME TO %I', month.part, 'detached_' || month.part);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION experiments.detach_expired FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.detach_expired TO ems_experiments_relay;

-- Subtracts the dropped tests from row counts: whole intervals are deleted; from the intervals at both ends of the
-- month, the month's share is subtracted, in a slot that no trigger uses.
CREATE FUNCTION experiments.drop_detached(expired text, OUT part text, OUT deleted bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  application uuid;
  first bigint;
  last bigint;
BEGIN
  SELECT c.relname INTO part FROM pg_class c
  WHERE c.relnamespace = 'experiments'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
    AND c.relname ~ CASE expired WHEN 'traces' THEN '^detached_(trace_step|trace_words)_' WHEN 'results' THEN '^detached_(test|evaluation)_' END
  ORDER BY c.relname LIMIT 1;
  IF part IS NULL THEN
    RETURN;
  END IF;
  deleted := 0;
  IF expired = 'results' THEN
    EXECUTE format('SELECT count(*) FROM experiments.%I', part) INTO deleted;
  END IF;
  IF part ~ '^detached_test_' THEN
    first := extract(epoch FROM to_date(right(part, 7), 'YYYY_MM')::timestamptz) * 1000;
    last := extract(epoch FROM to_date(right(part, 7), 'YYYY_MM')::timestamptz + interval '1 month') * 1000;
    FOR application IN EXECUTE format('SELECT DISTINCT application_id FROM experiments.%I', part) LOOP
      PERFORM set_config('ems.application_id', application::text, true);
      DELETE FROM experiments.test_count c WHERE c.application_id = application AND c.ordered_by = 'created_at'
        AND c.bucket << c.bits::integer >= first AND (c.bucket + 1) << c.bits::integer <= last;
      EXECUTE format('
        INSERT INTO experiments.test_count AS stored (application_id, ordered_by, bits, bucket, run_type, status, slot, rows)
        SELECT r.application_id, ''created_at'', b.bits, r.ms >> b.bits, r.run_type, r.status, -1, -count(*)
        FROM (SELECT t.*, (extract(epoch FROM t.created_at) * 1000)::bigint AS ms FROM experiments.%I t) r,
          (VALUES (18), (24), (30)) b (bits)
        WHERE r.application_id = $1 AND NOT ((r.ms >> b.bits) << b.bits >= $2 AND ((r.ms >> b.bits) + 1) << b.bits <= $3)
        GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (application_id, ordered_by, bits, bucket, run_type, status, slot) DO UPDATE SET rows = stored.rows + excluded.rows',
        part) USING application, first, last;
    END LOOP;
    PERFORM set_config('ems.application_id', '', true);
  END IF;
  EXECUTE format('DROP TABLE experiments.%I', part);
END $$;
REVOKE ALL ON FUNCTION experiments.drop_detached FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.drop_detached TO ems_experiments_relay;

-- Reports read the start of the retention period.
CREATE FUNCTION reporting.results_kept_since_v1() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN experiments.kept_since('results');
