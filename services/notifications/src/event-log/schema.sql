-- The log of events: a ring of partitions by day, the oldest of which is truncated, because deleting rows would
-- cost as much as adding them.
CREATE TABLE notifications.event_log (
  application_id uuid NOT NULL,
  position bigint NOT NULL,
  slot integer NOT NULL,
  type text NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  message bytea NOT NULL,
  CONSTRAINT event_log_pkey PRIMARY KEY (application_id, position, slot)
) PARTITION BY LIST (slot);
ALTER TABLE notifications.event_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.event_log
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The consumer writes every application's rows.
CREATE POLICY relay ON notifications.event_log TO ems_notifications_relay USING (true);
GRANT SELECT ON notifications.event_log TO ems_notifications;
GRANT INSERT ON notifications.event_log TO ems_notifications_relay;
-- Erases messages, on behalf of their application.
GRANT UPDATE (message) ON notifications.event_log TO ems_notifications;

-- The row's lock, held until the commit, makes positions visible in order and without gaps.
CREATE TABLE notifications.event_position (
  application_id uuid NOT NULL,
  position bigint NOT NULL,
  CONSTRAINT event_position_pkey PRIMARY KEY (application_id)
) WITH (fillfactor = 50);
ALTER TABLE notifications.event_position ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.event_position
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The consumer writes every application's rows.
CREATE POLICY relay ON notifications.event_position TO ems_notifications_relay USING (true);
GRANT SELECT ON notifications.event_position TO ems_notifications;
GRANT SELECT, INSERT ON notifications.event_position TO ems_notifications_relay;
GRANT UPDATE (position) ON notifications.event_position TO ems_notifications_relay;

-- Each of 16 days has a partition: the kept days, today, and the day to be truncated.
DO $$
BEGIN
  FOR slot IN 0 .. 15 LOOP
    EXECUTE format('CREATE TABLE notifications.event_log_%s PARTITION OF notifications.event_log FOR VALUES IN (%s)',
      slot, slot);
    EXECUTE format('ALTER TABLE notifications.event_log_%s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', slot);
    EXECUTE format('CREATE POLICY tenant ON notifications.event_log_%s
      USING (application_id = nullif(current_setting(''ems.application_id'', true), '''')::uuid)', slot);
  END LOOP;
END $$;

-- The number of a day's partition.
CREATE FUNCTION notifications.event_slot(at timestamptz) RETURNS integer LANGUAGE sql STABLE
RETURN mod(floor(extract(epoch FROM at) / 86400), 16)::integer;
REVOKE ALL ON FUNCTION notifications.event_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION notifications.event_slot TO ems_notifications, ems_notifications_relay;

-- Tomorrow's partition contains only events past their retention. Readers lock it for milliseconds.
CREATE FUNCTION notifications.forget_events() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  part text := format('notifications.event_log_%s', notifications.event_slot(now() + interval '1 day'));
BEGIN
  IF pg_relation_size(part::regclass) > 0 THEN
    EXECUTE 'TRUNCATE ' || part;
  END IF;
END $$;
REVOKE ALL ON FUNCTION notifications.forget_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION notifications.forget_events TO ems_notifications;
