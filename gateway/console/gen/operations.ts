// Generated from the OpenAPI document by `npm run generate`; do not edit. Descriptions are at /docs.

export const scopeOfOperation = {
  "DELETE /v0/annotations/{id}": "annotation:write",
  "DELETE /v0/api-keys/{keyId}": "api-key:write",
  "DELETE /v0/documents/{id}": "document:write",
  "DELETE /v0/export-settings": "export-settings:write",
  "DELETE /v0/human-annotation-queues/{id}": "human-annotation-queue:write",
  "DELETE /v0/invitations/{id}": "invitation:write",
  "DELETE /v0/members/{id}": "member:write",
  "DELETE /v0/model-connections/{id}": "model-connection:write",
  "DELETE /v0/tasks/{id}/schedule": "schedule:write",
  "DELETE /v0/traces/{id}": "trace-deletion:write",
  "DELETE /v0/webhook": "webhook:write",
  "GET /v0/annotations": "annotation:read",
  "GET /v0/annotations/{id}": "annotation:read",
  "GET /v0/api-keys": "api-key:read",
  "GET /v0/app-config": "app-config:read",
  "GET /v0/applications": "application:read",
  "GET /v0/applications/by-slug/{slug}": "application:read",
  "GET /v0/applications/{id}": "application:read",
  "GET /v0/audit-log": "audit-log:read",
  "GET /v0/definitions": "definition:read",
  "GET /v0/definitions/{id}": "definition:read",
  "GET /v0/definitions/{id}/calibration": "calibration:read",
  "GET /v0/documents": "document:read",
  "GET /v0/documents/chunked": "document:read",
  "GET /v0/documents/tests": "document-test:read",
  "GET /v0/documents/tests/{id}": "document-test:read",
  "GET /v0/documents/{id}": "document:read",
  "GET /v0/documents/{id}/tags": "document:read",
  "GET /v0/documents/{id}/versions": "document:read",
  "GET /v0/documents/{id}/versions/{versionNumber}": "document:read",
  "GET /v0/erasures": "erasure:read",
  "GET /v0/erasures/{id}": "erasure:read",
  "GET /v0/evals": "evaluation:read",
  "GET /v0/evals/{id}": "evaluation:read",
  "GET /v0/evaluation-settings": "evaluation-settings:read",
  "GET /v0/experiments": "experiment:read",
  "GET /v0/experiments/{id}": "experiment:read",
  "GET /v0/experiments/{id}/comparison": "variant:read",
  "GET /v0/experiments/{id}/task-set": "experiment:read",
  "GET /v0/experiments/{id}/variants": "variant:read",
  "GET /v0/experiments/{id}/variants/{variantId}": "variant:read",
  "GET /v0/export-settings": "export-settings:read",
  "GET /v0/facts": "fact:read",
  "GET /v0/facts/{id}": "fact:read",
  "GET /v0/health": "health:read",
  "GET /v0/human-annotation-queue-items": "human-annotation-queue:read",
  "GET /v0/human-annotation-queues": "human-annotation-queue:read",
  "GET /v0/human-annotation-queues/{id}": "human-annotation-queue:read",
  "GET /v0/human-annotations": "human-annotation:read",
  "GET /v0/human-annotations/{id}": "human-annotation:read",
  "GET /v0/inference-steps": "inference-step:read",
  "GET /v0/ingest-settings": "ingest-settings:read",
  "GET /v0/invitations": "invitation:read",
  "GET /v0/issues": "issue:read",
  "GET /v0/issues/minimal": "issue:read",
  "GET /v0/issues/{id}": "issue:read",
  "GET /v0/members": "member:read",
  "GET /v0/members/{id}": "member:read",
  "GET /v0/model-connections": "model-connection:read",
  "GET /v0/model-connections/{id}": "model-connection:read",
  "GET /v0/model-prices": "model-price:read",
  "GET /v0/quickstarts": "quickstart:read",
  "GET /v0/quickstarts/{id}": "quickstart:read",
  "GET /v0/quickstarts/{id}/assignments": "quickstart:read",
  "GET /v0/quickstarts/{id}/contradictions": "quickstart:read",
  "GET /v0/quickstarts/{id}/contradictions/{contradictionId}": "quickstart:read",
  "GET /v0/reporting/datasources/{id}/columns": "reporting:read",
  "GET /v0/runs": "run:read",
  "GET /v0/runs/compare": "run:read",
  "GET /v0/runs/{id}": "run:read",
  "GET /v0/runs/{id}/results": "test:read",
  "GET /v0/sessions": "session:read",
  "GET /v0/sessions/{id}": "session:read",
  "GET /v0/style-guides": "style-guide:read",
  "GET /v0/style-guides/{id}": "style-guide:read",
  "GET /v0/tags": "tag:read",
  "GET /v0/tags/{id}": "tag:read",
  "GET /v0/tasks": "task:read",
  "GET /v0/tasks/{id}": "task:read",
  "GET /v0/tasks/{id}/schedule": "schedule:read",
  "GET /v0/tasks/{id}/tags": "tag:read",
  "GET /v0/tests": "test:read",
  "GET /v0/tests/export": "test:read",
  "GET /v0/tests/{id}": "test:read",
  "GET /v0/topics": "topic:read",
  "GET /v0/topics/{id}": "topic:read",
  "GET /v0/traces": "trace:read",
  "GET /v0/traces/by-test/{id}": "trace:read",
  "GET /v0/traces/deletions/{id}": "trace-deletion:read",
  "GET /v0/traces/export": "trace:read",
  "GET /v0/traces/{id}": "trace:read",
  "GET /v0/traces/{id}/attachments/{hash}": "trace:read",
  "GET /v0/traces/{id}/steps": "trace:read",
  "GET /v0/transfer/catalog": "catalog-transfer:read",
  "GET /v0/transfer/results": "result-transfer:read",
  "GET /v0/transfer/traces": "trace-transfer:read",
  "GET /v0/users": "user:read",
  "GET /v0/users/{id}": "user:read",
  "GET /v0/webhook": "webhook:read",
  "GET /v0/webhook/deliveries": "delivery:read",
  "GET /v0/webhook/deliveries/{id}": "delivery:read",
  "PATCH /v0/issues": "issue:write",
  "PATCH /v0/topics": "topic:write",
  "POST /api/public/otel/v1/traces": "otlp:write",
  "POST /v0/annotations": "annotation:write",
  "POST /v0/api-keys": "api-key:write",
  "POST /v0/applications": "application:write",
  "POST /v0/definitions": "definition:write",
  "POST /v0/definitions/link": "definition:write",
  "POST /v0/definitions/link-application": "definition:write",
  "POST /v0/definitions/link-topics": "definition:write",
  "POST /v0/definitions/try": "definition-trial:write",
  "POST /v0/definitions/unlink": "definition:write",
  "POST /v0/definitions/unlink-application": "definition:write",
  "POST /v0/definitions/unlink-topics": "definition:write",
  "POST /v0/definitions/{id}/calibration/queue": "calibration:write",
  "POST /v0/documents": "document:write",
  "POST /v0/documents/status": "document:write",
  "POST /v0/documents/tests/trigger": "document-test-trigger:write",
  "POST /v0/documents/upload": "document:write",
  "POST /v0/documents/{id}/versions": "document:write",
  "POST /v0/documents/{id}/versions/{versionNumber}/activate": "document:write",
  "POST /v0/erasures": "erasure:write",
  "POST /v0/evals/rerun": "evaluation:write",
  "POST /v0/experiments": "experiment:write",
  "POST /v0/experiments/{id}/variants": "variant:write",
  "POST /v0/experiments/{id}/variants/{variantId}/promote": "variant:write",
  "POST /v0/experiments/{id}/variants/{variantId}/reject": "variant:write",
  "POST /v0/experiments/{id}/variants/{variantId}/resume": "variant:write",
  "POST /v0/experiments/{id}/variants/{variantId}/run": "variant:write",
  "POST /v0/experiments/{id}/variants/{variantId}/stop": "variant:write",
  "POST /v0/export-settings/test": "export-settings:write",
  "POST /v0/facts": "fact:write",
  "POST /v0/facts/bulk": "fact:write",
  "POST /v0/feedback": "feedback:write",
  "POST /v0/human-annotation-queues": "human-annotation-queue:write",
  "POST /v0/human-annotation-queues/{id}/items": "human-annotation-queue:write",
  "POST /v0/human-annotations": "human-annotation:write",
  "POST /v0/inference-steps": "inference-step:write",
  "POST /v0/ingest": "ingest:write",
  "POST /v0/ingest-settings/reread": "ingest-settings:write",
  "POST /v0/ingest-settings/test": "ingest-settings:read",
  "POST /v0/invitations": "invitation:write",
  "POST /v0/issues": "issue:write",
  "POST /v0/model-connections": "model-connection:write",
  "POST /v0/model-connections/{id}/test": "model-connection:write",
  "POST /v0/model-prices/reprice": "model-price:write",
  "POST /v0/otel/logs": "otlp:write",
  "POST /v0/otel/metrics": "otlp:read",
  "POST /v0/otel/traces": "otlp:write",
  "POST /v0/otel/v1/logs": "otlp:write",
  "POST /v0/otel/v1/metrics": "otlp:read",
  "POST /v0/otel/v1/traces": "otlp:write",
  "POST /v0/quickstarts": "quickstart:write",
  "POST /v0/quickstarts/{id}/assignments/bulk": "quickstart:write",
  "POST /v0/quickstarts/{id}/contradictions": "quickstart:write",
  "POST /v0/reporting/datasources/{id}/columns": "reporting:read",
  "POST /v0/reporting/query": "reporting:read",
  "POST /v0/style-guides": "style-guide:write",
  "POST /v0/tags": "tag:write",
  "POST /v0/tags/{id}/archive": "tag:write",
  "POST /v0/tasks": "task:write",
  "POST /v0/tasks/from-trace": "trace:write",
  "POST /v0/tasks/import": "task:write",
  "POST /v0/tasks/tags": "tag:write",
  "POST /v0/tasks/trigger": "run:write",
  "POST /v0/tasks/untag": "tag:write",
  "POST /v0/tasks/{id}/archive": "task:write",
  "POST /v0/tests/results": "test:write",
  "POST /v0/topics": "topic:write",
  "POST /v0/topics/{id}/archive": "topic:write",
  "POST /v0/traces/delete": "trace-deletion:write",
  "POST /v0/traces/{id}/feedback": "trace:write",
  "POST /v0/traces/{id}/test-paths": "trace:read",
  "POST /v0/transfer/catalog": "catalog-transfer:write",
  "POST /v0/transfer/results": "result-transfer:write",
  "POST /v0/transfer/traces": "trace-transfer:write",
  "POST /v0/validate-webhook": "webhook:write",
  "POST /v0/webhook": "webhook:write",
  "POST /v0/webhook/deliveries/{id}/resend": "delivery:write",
  "POST /v0/webhook/recover": "delivery:write",
  "POST /v0/webhook/rotate-secret": "webhook:write",
  "POST /v0/webhook/test": "webhook:write",
  "POST /v1/logs": "otlp:write",
  "POST /v1/metrics": "otlp:read",
  "POST /v1/traces": "otlp:write",
  "PUT /v0/annotations/{id}": "annotation:write",
  "PUT /v0/definitions/{id}": "definition:write",
  "PUT /v0/documents/{id}/tags": "document:write",
  "PUT /v0/documents/{id}/versions/{versionNumber}": "document:write",
  "PUT /v0/documents/{id}/versions/{versionNumber}/activate": "document:write",
  "PUT /v0/evaluation-settings": "evaluation-settings:write",
  "PUT /v0/experiments/{id}": "experiment:write",
  "PUT /v0/experiments/{id}/variants/{variantId}": "variant:write",
  "PUT /v0/export-settings": "export-settings:write",
  "PUT /v0/facts/{id}": "fact:write",
  "PUT /v0/human-annotation-queues/{id}": "human-annotation-queue:write",
  "PUT /v0/human-annotations/{id}": "human-annotation:write",
  "PUT /v0/ingest-settings": "ingest-settings:write",
  "PUT /v0/issues/{id}": "issue:write",
  "PUT /v0/issues/{id}/suggested-task": "issue:write",
  "PUT /v0/members/{id}": "member:write",
  "PUT /v0/model-connections/{id}": "model-connection:write",
  "PUT /v0/model-prices": "model-price:write",
  "PUT /v0/quickstarts/{id}/assignments/bulk": "quickstart:write",
  "PUT /v0/quickstarts/{id}/contradictions/{contradictionId}": "quickstart:write",
  "PUT /v0/runs/{id}": "run:write",
  "PUT /v0/style-guides/{id}": "style-guide:write",
  "PUT /v0/tags/{id}": "tag:write",
  "PUT /v0/tasks/{id}": "task:write",
  "PUT /v0/tasks/{id}/schedule": "schedule:write",
  "PUT /v0/tasks/{id}/tags": "tag:write",
  "PUT /v0/topics/{id}": "topic:write"
} as const;

export const rolesWithScope = {
  "annotation:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "annotation:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "api-key:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "api-key:write": [
    "OWNER"
  ],
  "app-config:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "application:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "application:write": [
    "OWNER"
  ],
  "audit-log:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "calibration:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "calibration:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "catalog-transfer:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "catalog-transfer:write": [
    "OWNER"
  ],
  "definition-trial:write": [
    "EDITOR",
    "OWNER"
  ],
  "definition:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "definition:write": [
    "EDITOR",
    "OWNER"
  ],
  "delivery:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "delivery:write": [
    "EDITOR",
    "OWNER"
  ],
  "document-test-trigger:write": [
    "EDITOR",
    "OWNER"
  ],
  "document-test:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "document:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "document:write": [
    "EDITOR",
    "OWNER"
  ],
  "erasure:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "erasure:write": [
    "OWNER"
  ],
  "evaluation-settings:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "evaluation-settings:write": [
    "OWNER"
  ],
  "evaluation:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "evaluation:write": [
    "EDITOR",
    "OWNER"
  ],
  "experiment:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "experiment:write": [
    "EDITOR",
    "OWNER"
  ],
  "export-settings:read": [
    "OWNER"
  ],
  "export-settings:write": [
    "OWNER"
  ],
  "fact:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "fact:write": [
    "EDITOR",
    "OWNER"
  ],
  "feedback:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "health:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "human-annotation-queue:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "human-annotation-queue:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "human-annotation:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "human-annotation:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "inference-step:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "inference-step:write": [
    "EDITOR",
    "OWNER"
  ],
  "ingest-settings:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "ingest-settings:write": [
    "OWNER"
  ],
  "ingest:write": [
    "EDITOR",
    "OWNER"
  ],
  "invitation:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "invitation:write": [
    "OWNER"
  ],
  "issue:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "issue:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "member:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "member:write": [
    "OWNER"
  ],
  "model-connection:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "model-connection:write": [
    "OWNER"
  ],
  "model-price:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "model-price:write": [
    "OWNER"
  ],
  "otlp:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "otlp:write": [
    "EDITOR",
    "OWNER"
  ],
  "quickstart:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "quickstart:write": [
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "reporting:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "result-transfer:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "result-transfer:write": [
    "OWNER"
  ],
  "run:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "run:write": [
    "EDITOR",
    "OWNER"
  ],
  "schedule:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "schedule:write": [
    "EDITOR",
    "OWNER"
  ],
  "session:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "style-guide:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "style-guide:write": [
    "EDITOR",
    "OWNER"
  ],
  "tag:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "tag:write": [
    "EDITOR",
    "OWNER"
  ],
  "task:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "task:write": [
    "EDITOR",
    "OWNER"
  ],
  "test:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "test:write": [
    "EDITOR",
    "OWNER"
  ],
  "topic:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "topic:write": [
    "EDITOR",
    "OWNER"
  ],
  "trace-deletion:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "trace-deletion:write": [
    "OWNER"
  ],
  "trace-transfer:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "trace-transfer:write": [
    "OWNER"
  ],
  "trace:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "trace:write": [
    "EDITOR",
    "OWNER"
  ],
  "user:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "variant:read": [
    "VIEWER",
    "REVIEWER",
    "EDITOR",
    "OWNER"
  ],
  "variant:write": [
    "EDITOR",
    "OWNER"
  ],
  "webhook:read": [
    "EDITOR",
    "OWNER"
  ],
  "webhook:write": [
    "EDITOR",
    "OWNER"
  ]
} as const;
