-- The archive (services/archive): which rows of which interval it has. Fully archived months are detached.

-- One row per batch; `number` is never reused.
CREATE TABLE experiments.archive_batch (
  application_id uuid NOT NULL,
  kind text NOT NULL,
  number integer GENERATED ALWAYS AS IDENTITY,
  starts timestamptz(3) NOT NULL,
  ends timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'open',
  rows bigint NOT NULL DEFAULT 0,
  checks jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT archive_batch_pkey PRIMARY KEY (application_id, kind, number),
  CONSTRAINT archive_batch_kind_check CHECK (kind IN ('results', 'traces')),
  CONSTRAINT archive_batch_state_check CHECK (state IN ('open', 'published', 'dropped', 'restored', 'withdrawn')),
  CONSTRAINT archive_batch_interval_check CHECK (starts < ends)
);
CREATE INDEX archive_batch_starts ON experiments.archive_batch (application_id, kind, starts);
ALTER TABLE experiments.archive_batch ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.archive_batch
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.archive_batch FOR SELECT TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.archive_batch TO ems_experiments;
GRANT SELECT ON experiments.archive_batch TO ems_experiments_relay;

-- Readable batches, without expired rows.
CREATE VIEW experiments.archive_extent AS
  SELECT * FROM (
    SELECT application_id, kind, number,
      greatest(starts, CASE kind WHEN 'results' THEN (SELECT experiments.kept_since('results'))
        WHEN 'traces' THEN (SELECT experiments.kept_since('traces')) END) AS starts,
      ends, state
    FROM experiments.archive_batch
  ) batch WHERE starts < ends;
GRANT SELECT ON experiments.archive_extent TO ems_experiments;

-- Ids of traces that are only in the archive, and which of them were re-ingested; a trigger, created before the first
-- eviction, sets that.
CREATE TABLE experiments.dropped_trace (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  came_again boolean NOT NULL DEFAULT false,
  CONSTRAINT dropped_trace_pkey PRIMARY KEY (application_id, id)
);
CREATE INDEX dropped_trace_created ON experiments.dropped_trace USING brin (application_id, created_at);
CREATE INDEX dropped_trace_again ON experiments.dropped_trace (application_id) WHERE came_again;
ALTER TABLE experiments.dropped_trace ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.dropped_trace
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.dropped_trace FOR SELECT TO ems_experiments_relay USING (came_again);
GRANT SELECT, INSERT, DELETE ON experiments.dropped_trace TO ems_experiments;
GRANT UPDATE (came_again) ON experiments.dropped_trace TO ems_experiments;
GRANT SELECT (application_id, created_at, came_again) ON experiments.dropped_trace TO ems_experiments_relay;

-- Reports read the archived part of results and traces.
CREATE VIEW reporting.archive_batch_v1 AS
  SELECT application_id, kind, number, starts, ends, state
  FROM experiments.archive_extent;
GRANT SELECT ON reporting.archive_batch_v1 TO ems_reporting;

-- Uses the batch's tenant: operators' own statements have no tenant.
CREATE FUNCTION experiments.withdraw_batch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  changed record;
  tenant text := coalesce(current_setting('ems.application_id', true), '');
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  PERFORM set_config('ems.application_id', changed.application_id::text, true);
  UPDATE experiments.archive_batch b SET state = 'withdrawn', changed_at = clock_timestamp()
  WHERE b.application_id = changed.application_id AND b.kind = TG_ARGV[0] AND b.starts <= changed.created_at
    AND b.ends > changed.created_at AND b.state IN ('open', 'published');
  PERFORM set_config('ems.application_id', tenant, true);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION experiments.withdraw_batch FROM PUBLIC;

-- Steps arrive and change together with their trace's row. Batches never contain rows of the last day; the condition
-- excludes these before anything is queued. The trigger is deferred to the commit, so that the batch is the last row
-- that a transaction locks, which prevents deadlocks.
CREATE FUNCTION experiments.watch_archived() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  watched record;
BEGIN
  FOR watched IN
    SELECT w.kind, w.place, e.name, e.events, e.changed
    FROM (VALUES ('traces', 'trace'), ('results', 'test'), ('results', 'evaluation')) w (kind, place),
      (VALUES ('archive_change', 'INSERT OR UPDATE', 'NEW'), ('archive_delete', 'DELETE', 'OLD')) e (name, events, changed)
    WHERE NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = format('experiments.%I', w.place)::regclass AND t.tgname = e.name)
  LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER %s ON experiments.%I DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (%s.created_at < now() - interval ''1 day'' AND current_setting(''ems.retention'', true) IS DISTINCT FROM ''deletes'')
      EXECUTE FUNCTION experiments.withdraw_batch(%L)', watched.name, watched.events, watched.place, watched.changed, watched.kind);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION experiments.watch_archived FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.watch_archived TO ems_experiments_relay;

-- Like detach_expired, one month at a time. Row-level security applies to the owner too until the partition is
-- detached; by then nothing writes to it. Only partitions that are empty by their statistics are locked.
CREATE FUNCTION experiments.detach_emptied(emptied text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC' SET lock_timeout = '100ms' AS $$
DECLARE
  month record;
  is_used boolean;
BEGIN
  FOR month IN
    SELECT p.relname AS parent, c.relname AS part
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE p.relnamespace = 'experiments'::regnamespace AND c.relname ~ ('^' || p.relname || '_[0-9]{4}_[0-9]{2}$')
      AND p.relname = ANY (CASE emptied WHEN 'traces' THEN '{trace_step,trace_words}' WHEN 'results' THEN '{test,evaluation}' END::text[])
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '2 months' <= now()
      AND pg_stat_get_live_tuples(c.oid) = 0 AND pg_stat_get_dead_tuples(c.oid) = 0
    ORDER BY c.relname
  LOOP
    EXECUTE format('ALTER TABLE experiments.%I NO FORCE ROW LEVEL SECURITY', month.part);
    EXECUTE format('SELECT EXISTS (SELECT FROM experiments.%I)', month.part) INTO is_used;
    IF is_used THEN
      EXECUTE format('ALTER TABLE experiments.%I FORCE ROW LEVEL SECURITY', month.part);
    ELSE
      EXECUTE format('ALTER TABLE experiments.%I DETACH PARTITION experiments.%I', month.parent, month.part);
      EXECUTE format('ALTER TABLE experiments.%I RENAME TO %I', month.part, 'detached_' || month.part);
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;
REVOKE ALL ON FUNCTION experiments.detach_emptied FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.detach_emptied TO ems_experiments_relay;

CREATE FUNCTION experiments.notice_returned() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE experiments.dropped_trace d SET came_again = true FROM added a
  WHERE d.application_id = a.application_id AND d.id = a.id AND NOT d.came_again;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION experiments.notice_returned FROM PUBLIC;

-- Its lock waits for transactions that insert without the trigger.
CREATE FUNCTION experiments.watch_dropped() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = 'experiments.trace'::regclass AND t.tgname = 'trace_returned') THEN
    CREATE TRIGGER trace_returned AFTER INSERT ON experiments.trace REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION experiments.notice_returned();
  END IF;
END $$;
REVOKE ALL ON FUNCTION experiments.watch_dropped FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.watch_dropped TO ems_experiments_relay;
