-- Queues the indexed traces, newest first, in jobs of about 2 MB. The lease lets processes of older versions end first.
-- Policies restrict the owner to one application at a time, except in the table of words.
DO $$
DECLARE
  indexed uuid;
BEGIN
  FOR indexed IN SELECT DISTINCT application_id FROM traces.trace_words LOOP
    PERFORM set_config('ems.application_id', indexed::text, true);
    INSERT INTO traces.search_job (application_id, org_id, trace_ids, positions, bytes, queued_at, leased_until)
    SELECT indexed, org_id, array_agg(id), array_fill(0, ARRAY[count(*)::int]), sum(bytes),
      '9999-01-01'::timestamptz + piece * interval '1 second', now() + interval '15 minutes'
    FROM (SELECT org_id, id, bytes, sum(greatest(bytes, 2000)) OVER (ORDER BY created_at DESC, id) / 2000000 AS piece
      FROM traces.trace WHERE application_id = indexed AND steps > 0) traces
    GROUP BY org_id, piece;
  END LOOP;
  PERFORM set_config('ems.application_id', '', true);
END $$;
