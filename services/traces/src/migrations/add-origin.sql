ALTER TABLE traces.trace
  ADD COLUMN service text,
  ADD COLUMN version text,
  ADD COLUMN environment text,
  ADD COLUMN service_rank bigint,
  ADD COLUMN version_rank bigint,
  ADD COLUMN environment_rank bigint;
CREATE INDEX trace_service ON traces.trace (application_id, service, created_at, id) WHERE service IS NOT NULL;
CREATE INDEX trace_version ON traces.trace (application_id, version, created_at, id) WHERE version IS NOT NULL;
CREATE INDEX trace_environment ON traces.trace (application_id, environment, created_at, id) WHERE environment IS NOT NULL;
GRANT UPDATE (service, version, environment, service_rank, version_rank, environment_rank) ON traces.trace TO ems_traces;
