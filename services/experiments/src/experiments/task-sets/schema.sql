-- Frozen tasks of experiments and their definitions, from the start of the baseline.
CREATE TABLE experiments.task_set_task (
  application_id uuid NOT NULL,
  task_set_id uuid NOT NULL,
  position integer NOT NULL,
  task_id uuid NOT NULL,
  plan json NOT NULL,
  CONSTRAINT task_set_task_pkey PRIMARY KEY (application_id, task_set_id, position)
);
CREATE INDEX task_set_task_task ON experiments.task_set_task (application_id, task_set_id, task_id);
ALTER TABLE experiments.task_set_task ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.task_set_task
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT ON experiments.task_set_task TO ems_experiments;
-- Erasures clear the plans of erased tasks.
GRANT UPDATE (plan) ON experiments.task_set_task TO ems_experiments;

CREATE TABLE experiments.task_set_definition (
  application_id uuid NOT NULL,
  task_set_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  definition json NOT NULL,
  CONSTRAINT task_set_definition_pkey PRIMARY KEY (application_id, task_set_id, definition_id)
);
ALTER TABLE experiments.task_set_definition ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.task_set_definition
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT ON experiments.task_set_definition TO ems_experiments;
