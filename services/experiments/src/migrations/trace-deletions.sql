-- Deletions of traces are erasures without an end user; erasure_trace lists their traces.
ALTER TABLE experiments.erasure ALTER COLUMN end_user_key DROP NOT NULL, ADD COLUMN traces integer, ADD COLUMN trace_id uuid,
  ADD CONSTRAINT erasure_kind_check CHECK ((end_user_key IS NULL) = (traces IS NOT NULL));
