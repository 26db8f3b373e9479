/** The columns of ContradictionRow, of `experiments.contradiction c`. */
export const contradictionColumns = `
  c.application_id AS "applicationId", c.id, c.org_id AS "orgId", c.quickstart_id AS "quickstartId",
  c.document_test_id AS "documentTestId", c.document_a_id AS "documentAId", c.document_b_id AS "documentBId",
  c.reason, c.passage_a AS "passageA", c.passage_b AS "passageB", c.resolved, c.assigned_to AS "assignedTo",
  c.created_at AS "createdAt", c.modified_at AS "modifiedAt"`;
