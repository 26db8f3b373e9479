ALTER TABLE experiments.run ADD COLUMN name text, ADD COLUMN version text, ADD COLUMN commit text, ADD COLUMN notes text;

-- Names of the runs that exist. Triggers would count and log them again.
ALTER TABLE experiments.run NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER;
UPDATE experiments.run SET name = coalesce(left(title, 255),
  initcap(type) || ' run ' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'));
UPDATE experiments.run r SET name = r.name || ' ' || to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')
FROM (SELECT application_id, id, row_number() OVER (PARTITION BY application_id, name ORDER BY created_at, id) AS place
  FROM experiments.run) same
WHERE r.application_id = same.application_id AND r.id = same.id AND same.place > 1 AND r.title IS NOT NULL;
DO $$
BEGIN
  LOOP
    UPDATE experiments.run r SET name = format('%s (%s)', r.name, same.place)
    FROM (SELECT application_id, id, row_number() OVER (PARTITION BY application_id, name ORDER BY created_at, id) AS place
      FROM experiments.run) same
    WHERE r.application_id = same.application_id AND r.id = same.id AND same.place > 1;
    EXIT WHEN NOT FOUND;
  END LOOP;
END $$;
ALTER TABLE experiments.run ALTER COLUMN name SET DEFAULT '', ALTER COLUMN name SET NOT NULL, FORCE ROW LEVEL SECURITY, ENABLE TRIGGER USER;
CREATE UNIQUE INDEX run_name ON experiments.run (application_id, name);

-- Makes the name of a new run distinct in its application. Runs without a name are named by trigger and time. The lock
-- lets concurrent runs of one name wait for each other. It is one of 16 for an application: an import inserts many runs.
CREATE FUNCTION experiments.name_run() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  created text := to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS');
  given text := coalesce(nullif(NEW.name, ''), NEW.title);
  base text := coalesce(given, initcap(NEW.type) || ' run ' || created);
  place integer := 1;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('experiments.run.name ' || NEW.application_id), hashtext(base) & 15);
  NEW.name := base;
  WHILE EXISTS (SELECT FROM experiments.run r
      WHERE r.application_id = NEW.application_id AND r.name = NEW.name AND r.id <> NEW.id) LOOP
    IF place = 1 AND given IS NOT NULL THEN
      base := base || ' ' || created;
      NEW.name := base;
    ELSE
      NEW.name := format('%s (%s)', base, greatest(place, 2));
    END IF;
    place := place + 1;
  END LOOP;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION experiments.name_run() FROM PUBLIC;
CREATE TRIGGER name_insert BEFORE INSERT ON experiments.run FOR EACH ROW EXECUTE FUNCTION experiments.name_run();

-- Other updates of runs follow from results and are not logged.
CREATE TRIGGER audit_update AFTER UPDATE OF name, version, commit, notes ON experiments.run FOR EACH ROW
  WHEN (current_setting('ems.actor', true) <> '') EXECUTE FUNCTION experiments.audit_keep('run', 'id', '');
