-- People judge one definition, or the whole answer; several definitions in one pass. Older annotations are of the whole
-- answer.
ALTER TABLE experiments.human_annotation ADD COLUMN definition_id uuid, ADD COLUMN score_micro bigint,
  ADD COLUMN pass_id uuid;
ALTER TABLE experiments.human_annotation DROP CONSTRAINT human_annotation_person_key,
  ADD CONSTRAINT human_annotation_person_key
    UNIQUE NULLS NOT DISTINCT (application_id, trace_id, annotator_id, definition_id);
CREATE INDEX human_annotation_definition
  ON experiments.human_annotation (application_id, definition_id, created_at, id);

ALTER TABLE experiments.human_annotation_queue ADD COLUMN definition_id uuid;
ALTER TABLE experiments.human_annotation_queue DROP CONSTRAINT human_annotation_queue_key,
  ADD CONSTRAINT human_annotation_queue_key
    UNIQUE NULLS NOT DISTINCT (application_id, topic_id, assignee_id, definition_id);

ALTER TABLE experiments.human_annotation_queue_item ADD COLUMN definition_id uuid;
ALTER TABLE experiments.human_annotation_queue_item DROP CONSTRAINT human_annotation_queue_item_key,
  ADD CONSTRAINT human_annotation_queue_item_key
    UNIQUE NULLS NOT DISTINCT (application_id, queue_id, trace_id, definition_id);

CREATE OR REPLACE VIEW reporting.human_annotation_v1 AS
  SELECT application_id, org_id, id, trace_id, test_id, task_id, topic_id, annotator_id, source, verdict,
    created_at, modified_at, definition_id, score_micro
  FROM experiments.human_annotation;

-- Calibrations counted verdicts on whole answers: measure all judges again.
ALTER TABLE experiments.judge_calibration NO FORCE ROW LEVEL SECURITY;
UPDATE experiments.judge_calibration SET marks = marks + 1;
ALTER TABLE experiments.judge_calibration FORCE ROW LEVEL SECURITY;
