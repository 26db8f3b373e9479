// Generated from the OpenAPI document by `npm run generate`; do not edit. Descriptions are at /docs.

export interface paths {
    "/api/public/otel/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportTracesApiPublicOtelV1Traces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAnnotations"];
        put?: never;
        post: operations["createAnnotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/annotations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnnotation"];
        put: operations["updateAnnotation"];
        post?: never;
        delete: operations["deleteAnnotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/app-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAppConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApplications"];
        put?: never;
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/applications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/applications/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApplicationBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDefinitions"];
        put?: never;
        post: operations["createDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDefinition"];
        put: operations["updateDefinition"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/{id}/calibration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCalibration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/{id}/calibration/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["queueCalibrationTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/link-application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/link-topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkTopics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tryDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unlinkTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/unlink-application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unlinkApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/definitions/unlink-topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unlinkTopics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocuments"];
        put?: never;
        post: operations["createDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/{id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocumentTags"];
        put: operations["setDocumentTags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocumentVersions"];
        put?: never;
        post: operations["createDocumentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/{id}/versions/{versionNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDocumentVersion"];
        put: operations["updateDocumentVersion"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/{id}/versions/{versionNumber}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["activateDocumentVersion"];
        post: operations["activateDocumentVersionByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/chunked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocumentChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateDocumentStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocumentTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/tests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDocumentTest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/tests/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["triggerDocumentTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/documents/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listErasures"];
        put?: never;
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/evals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvaluations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/evals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEvaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/evals/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rerunEvaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/evaluation-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEvaluationSettings"];
        put: operations["updateEvaluationSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listExperiments"];
        put?: never;
        post: operations["createExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getExperiment"];
        put: operations["updateExperiment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["compareVariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/task-set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getExperimentTaskSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVariants"];
        put?: never;
        post: operations["createVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants/{variantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVariant"];
        put: operations["updateVariant"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants/{variantId}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["promoteVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants/{variantId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants/{variantId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants/{variantId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/experiments/{id}/variants/{variantId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/export-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getExportSettings"];
        put: operations["updateExportSettings"];
        post?: never;
        delete: operations["deleteExportSettings"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/export-settings/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testExportSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFacts"];
        put?: never;
        post: operations["createFact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/facts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFact"];
        put: operations["updateFact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/facts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createFacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/human-annotation-queue-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHumanAnnotationQueueItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/human-annotation-queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHumanAnnotationQueues"];
        put?: never;
        post: operations["createHumanAnnotationQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/human-annotation-queues/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHumanAnnotationQueue"];
        put: operations["updateHumanAnnotationQueue"];
        post?: never;
        delete: operations["deleteHumanAnnotationQueue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/human-annotation-queues/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addHumanAnnotationQueueItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/human-annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHumanAnnotations"];
        put?: never;
        post: operations["createHumanAnnotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/human-annotations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHumanAnnotation"];
        put: operations["updateHumanAnnotation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/inference-steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInferenceSteps"];
        put?: never;
        post: operations["createInferenceStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ingestEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/ingest-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIngestSettings"];
        put: operations["updateIngestSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/ingest-settings/reread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rereadTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/ingest-settings/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testIngestSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIssues"];
        put?: never;
        post: operations["createIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateIssues"];
        trace?: never;
    };
    "/v0/issues/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIssue"];
        put: operations["updateIssue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/issues/{id}/suggested-task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["acceptSuggestedTask"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/issues/minimal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMinimalIssues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMember"];
        put: operations["updateMember"];
        post?: never;
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/model-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModelConnections"];
        put?: never;
        post: operations["createModelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/model-connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getModelConnection"];
        put: operations["updateModelConnection"];
        post?: never;
        delete: operations["deleteModelConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/model-connections/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testModelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/model-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getModelPrices"];
        put: operations["updateModelPrices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/model-prices/reprice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repriceTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/otel/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/otel/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/otel/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/otel/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportLogsV0OtelV1Logs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/otel/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportMetricsV0OtelV1Metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/otel/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportTracesV0OtelV1Traces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/quickstarts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQuickstarts"];
        put?: never;
        post: operations["createQuickstart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/quickstarts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQuickstart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/quickstarts/{id}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/quickstarts/{id}/assignments/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["reassignAssignments"];
        post: operations["createAssignments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/quickstarts/{id}/contradictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContradictions"];
        put?: never;
        post: operations["createContradictions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/quickstarts/{id}/contradictions/{contradictionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContradiction"];
        put: operations["updateContradiction"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/reporting/datasources/{id}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDatasourceColumns"];
        put?: never;
        post: operations["queryDatasourceColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/reporting/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["queryReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRun"];
        put: operations["updateRun"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/runs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/runs/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/style-guides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStyleGuides"];
        put?: never;
        post: operations["createStyleGuide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/style-guides/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getStyleGuide"];
        put: operations["updateStyleGuide"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTags"];
        put?: never;
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTag"];
        put: operations["updateTag"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tags/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["archiveTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTasks"];
        put?: never;
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTask"];
        put: operations["updateTask"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["archiveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskSchedule"];
        put: operations["putTaskSchedule"];
        post?: never;
        delete: operations["deleteTaskSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/{id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTaskTags"];
        put: operations["setTaskTags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/from-trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createTaskFromTrace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tagTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["triggerTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tasks/untag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["untagTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tests/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/tests/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTopics"];
        put?: never;
        post: operations["createTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateTopics"];
        trace?: never;
    };
    "/v0/topics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTopic"];
        put: operations["updateTopic"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/topics/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["archiveTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTraces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTrace"];
        put?: never;
        post?: never;
        delete: operations["deleteTrace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/{id}/attachments/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTraceAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordTraceFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTraceSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/{id}/test-paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testTracePaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/by-test/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTraceByTest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/deletions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTraceDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/traces/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadTraces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/transfer/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readCatalogRows"];
        put?: never;
        post: operations["importCatalogRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/transfer/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readResultRows"];
        put?: never;
        post: operations["importResultRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/transfer/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTraceRows"];
        put?: never;
        post: operations["importTraceRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/validate-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post: operations["setWebhook"];
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportLogsV1Logs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportMetricsV1Metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportTracesV1Traces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptSuggestedTaskRequest: {
            description: string;
            title: string;
            /** Format: uuid */
            topicId?: string | null;
        };
        AcceptSuggestedTaskResponse: {
            task: components["schemas"]["Task"];
        };
        ActivateDocumentVersionResponse: {
            document: components["schemas"]["Document"];
            newActiveVersion: components["schemas"]["DocumentVersion"];
        };
        AddHumanAnnotationQueueItemsRequest: {
            traceIds: string[];
        };
        AddHumanAnnotationQueueItemsResponse: {
            /** Format: int32 */
            archived: number;
            /** Format: int32 */
            count: number;
            /** Format: int32 */
            present: number;
        };
        Analytics: {
            cloudIdentifier: string;
            host: string;
            key: string;
        };
        Annotation: {
            /** Format: uuid */
            applicationId: string;
            author: components["schemas"]["UserReference"] | null;
            /** Format: uuid */
            authorId: string | null;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            title: string;
            /** Format: uuid */
            traceStepId: string | null;
        };
        AnnotationCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Annotation"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "annotation.created";
        };
        AnnotationDeletedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Annotation"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "annotation.deleted";
        };
        AnnotationUpdatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Annotation"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "annotation.updated";
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            key: string;
            name: string;
        };
        ApiKeyChanged: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        ApiKeyCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["ApiKeyChanged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "api_key.created";
        };
        ApiKeyDeletedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["ApiKeyChanged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "api_key.deleted";
        };
        AppConfig: {
            analytics: components["schemas"]["Analytics"];
            askAssistantEnabled: boolean;
            chatbotPlaygroundEnabled: boolean;
            craEvidencePackEnabled: boolean;
            crawlerEnabled: boolean;
            ocrEnabled: boolean;
            sotaModelEnabled: boolean;
        };
        Application: {
            context: string;
            /** Format: date-time */
            createdAt: string;
            description: string;
            environment: components["schemas"]["ApplicationEnvironment"];
            humanAnnotationEnabled: boolean;
            /** Format: uuid */
            id: string;
            language: string;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            slug: string;
            title: string;
            type: components["schemas"]["ApplicationType"];
        };
        /** @enum {string} */
        ApplicationEnvironment: "DEV" | "PROD";
        /** @enum {string} */
        ApplicationType: "CHATBOT" | "AGENT";
        ArchiveTopicRequest: {
            cascade?: boolean | null;
        };
        Assignment: {
            assignedTo: string;
            assignedUser: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            /** Format: uuid */
            quickstartId: string;
            stage: components["schemas"]["AssignmentStage"];
            /** Format: uuid */
            topicId: string;
        };
        AssignmentCreated: {
            assignedTo: string;
            /** Format: uuid */
            id: string;
            stage: components["schemas"]["AssignmentStage"];
            /** Format: uuid */
            topicId: string;
        };
        AssignmentCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["AssignmentsCreated"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "assignment.created";
        };
        AssignmentsCreated: {
            assignments: components["schemas"]["AssignmentCreated"][];
            /** Format: uuid */
            quickstartId: string;
        };
        /** @enum {string} */
        AssignmentStage: "KB_REVIEW" | "TASKS_TOPICS_REVIEW";
        /** @enum {string} */
        AuditAction: "CREATED" | "UPDATED" | "DELETED";
        AuditChange: {
            after?: unknown;
            before?: unknown;
            field: string;
            isSecret: boolean;
        };
        AuditLogEntry: {
            action: components["schemas"]["AuditAction"];
            caller: string | null;
            changes: components["schemas"]["AuditChange"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            entityId: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            keyId: string | null;
            operation: string;
            /** Format: uuid */
            requestId: string;
            resource: string;
            userId: string;
        };
        Budget: {
            /** Format: double */
            money: number | null;
            /** Format: int64 */
            tokens: number | null;
        };
        BudgetInput: {
            /** Format: double */
            money?: number | null;
            /** Format: int64 */
            tokens?: number | null;
        };
        BudgetReached: {
            /** Format: int64 */
            budget: number;
            /** Format: date-time */
            endsAt: string;
            /** Format: int32 */
            percent: number;
            period: string;
            /** Format: int64 */
            spent: number;
            /** Format: int64 */
            uncertain: number;
            unit: string;
        };
        BudgetReachedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["BudgetReached"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "budget.reached";
        };
        Budgets: {
            day: components["schemas"]["Budget"] | null;
            month: components["schemas"]["Budget"] | null;
        };
        BudgetsInput: {
            day?: components["schemas"]["BudgetInput"] | null;
            month?: components["schemas"]["BudgetInput"] | null;
        };
        /** @enum {string} */
        BuiltInPattern: "EMAIL" | "PHONE" | "CREDIT_CARD" | "IBAN" | "IP_ADDRESS" | "API_KEY";
        Calibration: {
            definition: components["schemas"]["ComparedDefinition"] | null;
            judge: components["schemas"]["JudgeQuality"] | null;
            next: components["schemas"]["TraceToAnnotate"][];
            versions: components["schemas"]["JudgeQuality"][];
        };
        ChangedTask: {
            baseline: components["schemas"]["ChangedTaskSide"] | null;
            task: components["schemas"]["ComparedTask"] | null;
            variant: components["schemas"]["ChangedTaskSide"] | null;
        };
        ChangedTaskSide: {
            passed: boolean;
            /** Format: double */
            score: number | null;
            /** Format: uuid */
            testId: string;
        };
        ComparedDefinition: {
            calibration: components["schemas"]["DefinitionCalibration"] | null;
            /** Format: uuid */
            id: string;
            name: string;
            type: components["schemas"]["EvalDefinitionType"];
        };
        ComparedTask: {
            /** Format: uuid */
            id: string;
            title: string;
        };
        CompareRunsResponse: {
            data: components["schemas"]["Comparison"];
        };
        CompareVariantsResponse: {
            data: components["schemas"]["Comparison"];
        };
        Comparison: {
            baseline: components["schemas"]["ComparisonSide"] | null;
            changedTasks: components["schemas"]["ChangedTask"][];
            definitions: components["schemas"]["DefinitionComparison"][];
            difference: components["schemas"]["ComparisonDifference"] | null;
            variant: components["schemas"]["ComparisonSide"] | null;
        };
        ComparisonDifference: {
            averageScore: components["schemas"]["DifferenceEstimate"] | null;
            /** Format: int64 */
            commonTasks: number;
            /** Format: double */
            mcnemarP: number | null;
            /** @enum {string} */
            method: "paired" | "unpaired";
            notCompared: components["schemas"]["NotCompared"] | null;
            passRate: components["schemas"]["DifferenceEstimate"] | null;
            /** Format: double */
            smallestDetectable: number | null;
            summary: string;
            /** Format: int64 */
            tasksNeeded: number | null;
            /** @enum {string} */
            verdict: "better" | "worse" | "no_evidence" | "too_few_tasks" | "not_comparable";
        };
        ComparisonEstimate: {
            /** Format: double */
            high: number | null;
            /** Format: double */
            low: number | null;
            /** Format: double */
            value: number;
        };
        ComparisonSettings: {
            exact?: boolean;
        };
        ComparisonSettingsInput: {
            exact?: boolean | null;
        };
        ComparisonSide: {
            averageScore: components["schemas"]["ComparisonEstimate"] | null;
            cost: components["schemas"]["ComparisonEstimate"] | null;
            /** Format: int64 */
            errored: number;
            /** Format: int64 */
            failed: number;
            judgeCost: components["schemas"]["ComparisonEstimate"] | null;
            latencyMs: components["schemas"]["ComparisonEstimate"] | null;
            /** Format: int64 */
            none: number;
            /** Format: int64 */
            passed: number;
            passRate: components["schemas"]["ComparisonEstimate"] | null;
            /** Format: int64 */
            tests: number;
            tokens: components["schemas"]["ComparisonTokens"] | null;
            /** Format: int64 */
            uncounted: number;
        };
        ComparisonTokens: {
            input: components["schemas"]["ComparisonEstimate"] | null;
            output: components["schemas"]["ComparisonEstimate"] | null;
        };
        Confidence: {
            /** Format: double */
            halfWidth: number;
            interval: components["schemas"]["ConfidenceInterval"] | null;
            level: components["schemas"]["MetricLevel"];
        };
        ConfidenceInterval: {
            /** Format: double */
            lower: number;
            /** Format: double */
            upper: number;
        };
        Contradiction: {
            /** Format: uuid */
            applicationId: string;
            assignedTo: string | null;
            assignedUser: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            documentAId: string;
            /** Format: uuid */
            documentBId: string;
            /** Format: uuid */
            documentTestId: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            passageA: string;
            passageB: string;
            reason: string;
            resolved: boolean;
        };
        ContradictionUpdatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Contradiction"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "contradiction.updated";
        };
        CoreTag: {
            color: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        CreateAnnotationRequest: {
            /** Format: date-time */
            createdAt?: string | null;
            description?: string | null;
            title: string;
            /** Format: uuid */
            traceStepId?: string | null;
        };
        CreateAnnotationResponse: {
            data: components["schemas"]["Annotation"];
        };
        CreateApiKeyRequest: {
            /** Format: date-time */
            expiresAt?: string | null;
            name: string;
            scopes?: ("read" | "annotation:read" | "annotation:write" | "api-key:read" | "api-key:write" | "app-config:read" | "application:read" | "application:write" | "audit-log:read" | "calibration:read" | "calibration:write" | "catalog-transfer:read" | "catalog-transfer:write" | "definition-trial:write" | "definition:read" | "definition:write" | "delivery:read" | "delivery:write" | "document-test-trigger:write" | "document-test:read" | "document:read" | "document:write" | "erasure:read" | "erasure:write" | "evaluation-settings:read" | "evaluation-settings:write" | "evaluation:read" | "evaluation:write" | "event:read" | "experiment:read" | "experiment:write" | "export-settings:read" | "export-settings:write" | "fact:read" | "fact:write" | "feedback:write" | "health:read" | "human-annotation-queue:read" | "human-annotation-queue:write" | "human-annotation:read" | "human-annotation:write" | "inference-step:read" | "inference-step:write" | "ingest-settings:read" | "ingest-settings:write" | "ingest:write" | "invitation:read" | "invitation:write" | "issue:read" | "issue:write" | "member:read" | "member:write" | "model-connection:read" | "model-connection:write" | "model-price:read" | "model-price:write" | "otlp:read" | "otlp:write" | "quickstart:read" | "quickstart:write" | "reporting:read" | "result-transfer:read" | "result-transfer:write" | "run:read" | "run:write" | "schedule:read" | "schedule:write" | "session:read" | "style-guide:read" | "style-guide:write" | "tag:read" | "tag:write" | "task:read" | "task:write" | "test:read" | "test:write" | "topic:read" | "topic:write" | "trace-deletion:read" | "trace-deletion:write" | "trace-transfer:read" | "trace-transfer:write" | "trace:read" | "trace:write" | "user:read" | "variant:read" | "variant:write" | "webhook:read" | "webhook:write")[] | null;
        };
        CreateApiKeyResponse: {
            data: components["schemas"]["ApiKey"];
        };
        CreateApplicationRequest: {
            context?: string | null;
            description?: string | null;
            environment?: components["schemas"]["ApplicationEnvironment"] | null;
            humanAnnotationEnabled?: boolean | null;
            /** @enum {string|null} */
            language?: "da" | "de" | "en" | "es" | "fr" | "it" | "nl" | "pt" | "sv" | null;
            slug?: string | null;
            title: string;
            type?: components["schemas"]["ApplicationType"] | null;
        };
        CreateApplicationResponse: {
            data: components["schemas"]["Application"];
        };
        CreateAssignmentsRequest: {
            assignments: components["schemas"]["NewAssignment"][];
        };
        CreateAssignmentsResponse: {
            /** Format: int64 */
            count: number;
        };
        CreateContradictionsRequest: {
            contradictions: components["schemas"]["NewContradiction"][];
        };
        CreateContradictionsResponse: {
            data: components["schemas"]["Contradiction"][];
        };
        CreateDefinitionRequest: {
            globalConfig?: components["schemas"]["GlobalConfigInput"] | null;
            name: string;
            /** Format: uuid */
            quickstartId?: string | null;
            /** Format: uuid */
            styleGuideId?: string | null;
            type: components["schemas"]["EvalDefinitionType"];
        };
        CreateDefinitionResponse: {
            data: components["schemas"]["EvalDefinition"];
        };
        CreateDocumentRequest: {
            assignee?: string | null;
            content: string;
            documentStatus?: components["schemas"]["LibraryStatus"] | null;
            language?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            originalSentences?: string[] | null;
            /** Format: uuid */
            quickstartId?: string | null;
            scrapeJobId?: string | null;
            status?: components["schemas"]["DocumentStatus"] | null;
            title: string;
            /** Format: uuid */
            topicId?: string | null;
            type?: components["schemas"]["DocumentType"] | null;
        };
        CreateDocumentResponse: {
            document: components["schemas"]["Document"];
        };
        CreateDocumentVersionRequest: {
            content?: string | null;
            language?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            originalSentences?: unknown[] | null;
            status?: components["schemas"]["DocumentStatus"] | null;
            title?: string | null;
        };
        CreateDocumentVersionResponse: {
            document: components["schemas"]["DocumentBase"];
            version: components["schemas"]["DocumentVersion"];
        };
        CreateErasureRequest: {
            dryRun?: boolean | null;
            user: string;
        };
        CreateErasureResponse: {
            data: components["schemas"]["Erasure"] | null;
            found: components["schemas"]["ErasureCounts"];
        };
        CreateExperimentRequest: {
            assignee?: string | null;
            description?: string | null;
            inferenceStepIds?: string[] | null;
            taskIds?: string[] | null;
            title: string;
        };
        CreateExperimentResponse: {
            data: components["schemas"]["Experiment"];
        };
        CreateFactRequest: {
            generatedBy?: string | null;
            isVerified?: boolean | null;
            /** Format: uuid */
            quickstartId?: string | null;
            scope: components["schemas"]["FactScope"];
            /** Format: uuid */
            sourceDocumentId?: string | null;
            sourceQuote?: string | null;
            statement: string;
            status?: components["schemas"]["FactStatus"] | null;
            topicIds?: string[] | null;
        };
        CreateFactResponse: {
            data: components["schemas"]["Fact"];
        };
        CreateFactsRequest: {
            facts: components["schemas"]["CreateFactRequest"][];
        };
        CreateFactsResponse: {
            /** Format: int64 */
            count: number;
        };
        CreateHumanAnnotationQueueRequest: {
            assigneeId?: string | null;
            /** Format: uuid */
            definitionId?: string | null;
            /** Format: uuid */
            topicId: string;
        };
        CreateHumanAnnotationQueueResponse: {
            data: components["schemas"]["HumanAnnotationQueue"];
        };
        CreateHumanAnnotationRequest: {
            critique?: string | null;
            /** Format: uuid */
            definitionId?: string | null;
            passComplete?: boolean | null;
            /** Format: uuid */
            passId?: string | null;
            /** Format: uuid */
            queueItemId?: string | null;
            /** Format: double */
            score?: number | null;
            source: components["schemas"]["HumanAnnotationSource"];
            traceId: string;
            verdict: boolean;
        };
        CreateHumanAnnotationResponse: {
            data: components["schemas"]["HumanAnnotation"];
        };
        CreateInferenceStepRequest: {
            description?: string | null;
            externalId?: string | null;
            title: string;
            type: components["schemas"]["InferenceStepType"];
        };
        CreateInferenceStepResponse: {
            data: components["schemas"]["InferenceStep"];
        };
        CreateInvitationRequest: {
            /** Format: email */
            email: string;
            role: components["schemas"]["MemberRole"];
        };
        CreateInvitationResponse: {
            data: components["schemas"]["Invitation"];
        };
        CreateIssueRequest: {
            /** Format: uuid */
            annotationId?: string | null;
            description?: string | null;
            /** Format: uuid */
            evalDefinitionId?: string | null;
            /** Format: uuid */
            experimentId?: string | null;
            /** Format: uuid */
            parentId?: string | null;
            priority?: components["schemas"]["IssuePriority"] | null;
            source: components["schemas"]["IssueSource"];
            /** Format: uuid */
            taskId?: string | null;
            /** Format: uuid */
            testId?: string | null;
            title: string;
            /** Format: uuid */
            topicId?: string | null;
            /** Format: uuid */
            traceId?: string | null;
            type?: components["schemas"]["IssueType"] | null;
        };
        CreateModelConnectionRequest: {
            apiKey?: string | null;
            baseUrl?: string | null;
            default?: boolean | null;
            limits?: components["schemas"]["ModelLimitsInput"] | null;
            model: string;
            name: string;
            prices?: components["schemas"]["ModelPricesInput"] | null;
            /** @enum {string} */
            provider: "openai" | "anthropic" | "openai-compatible";
        };
        CreateModelConnectionResponse: {
            data: components["schemas"]["ModelConnection"];
        };
        CreateQuickstartRequest: {
            description?: string | null;
            title: string;
        };
        CreateQuickstartResponse: {
            data: components["schemas"]["Quickstart"];
        };
        CreateStyleGuideRequest: {
            content: components["schemas"]["StyleGuideSectionInput"][];
            /** Format: uuid */
            quickstartId?: string | null;
        };
        CreateStyleGuideResponse: {
            data: components["schemas"]["StyleGuide"];
        };
        CreateTagRequest: {
            color?: string | null;
            description?: string | null;
            name: string;
        };
        CreateTagResponse: {
            data: components["schemas"]["Tag"];
        };
        CreateTaskFromTraceRequest: {
            answer?: components["schemas"]["TraceAnswer"] | null;
            description?: string | null;
            evalIds?: string[] | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string|null} */
            status?: "DRAFT" | "ACTIVE" | null;
            tagIds?: string[] | null;
            title?: string | null;
            /** Format: uuid */
            topicId?: string | null;
            traceId: string;
            type?: components["schemas"]["TaskType"] | null;
        };
        CreateTaskFromTraceResponse: {
            earlierTaskIds: string[];
            task: components["schemas"]["Task"];
        };
        CreateTaskRequest: {
            description: string;
            examples?: components["schemas"]["TaskExampleInput"][] | null;
            inputExamples?: string[] | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            prompts?: string[] | null;
            /** Format: uuid */
            quickstartId?: string | null;
            simulatedPromptSchema?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string|null} */
            status?: "DRAFT" | "ACTIVE" | null;
            title: string;
            /** Format: uuid */
            topicId?: string | null;
            type?: components["schemas"]["TaskType"] | null;
        };
        CreateTaskResponse: {
            task: components["schemas"]["Task"];
        };
        CreateTopicRequest: {
            /** Format: double */
            baseline?: number | null;
            /** Format: uuid */
            quickstartId?: string | null;
            /** @enum {string|null} */
            status?: "DRAFT" | "ACTIVE" | null;
            title: string;
        };
        CreateTopicResponse: {
            data: components["schemas"]["Topic"];
        };
        CreateVariantRequest: {
            configPatch: {
                [key: string]: unknown;
            };
            description?: string | null;
            /** Format: uuid */
            parentId?: string | null;
            title: string;
        };
        CreateVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        DatasourceColumn: {
            dateTruncs: string[];
            id: string;
            isFilterOnly: boolean;
            isReference: boolean;
            measurements: string[];
            name: string;
            operators: string[];
            type: string;
            values: string[];
        };
        DefinitionCalibration: {
            /** Format: date-time */
            calculatedAt: string;
            /** Format: int32 */
            definitionVersion: number | null;
            /** Format: int32 */
            humanFailed: number;
            /** Format: int32 */
            humanPassed: number;
            judgeVersion: string | null;
            /** Format: double */
            kappa: number | null;
            model: string | null;
            reliable: boolean | null;
            /** Format: double */
            sensitivity: number | null;
            /** Format: double */
            specificity: number | null;
            /** Format: int32 */
            undecided: number;
        };
        DefinitionComparison: {
            baseline: components["schemas"]["ComparisonSide"] | null;
            definition: components["schemas"]["ComparedDefinition"] | null;
            difference: components["schemas"]["ComparisonDifference"] | null;
            variant: components["schemas"]["ComparisonSide"] | null;
        };
        DefinitionLinkedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["DefinitionLinksChanged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "definition.linked";
        };
        DefinitionLinksChanged: {
            application: boolean;
            evalIds: string[];
            taskIds: string[];
            topicIds: string[];
        };
        DefinitionMetrics: {
            /** Format: uuid */
            evalDefinitionId: string;
            evalDefinitionName: string;
            metrics: components["schemas"]["Metrics"] | null;
        };
        DefinitionResult: {
            /** Format: double */
            averageScore: number;
            /** Format: int64 */
            errored: number;
            /** Format: int64 */
            failed: number;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: int64 */
            passed: number;
            /** Format: double */
            passRate: number;
            /** Format: int64 */
            total: number;
            type: components["schemas"]["EvalDefinitionType"];
        };
        DefinitionTrial: {
            /** Format: int64 */
            costMicro: number | null;
            /** Format: int32 */
            durationMs: number | null;
            /** Format: int64 */
            estimatedTokens: number | null;
            /** Format: int64 */
            inputTokens: number | null;
            judgeVersion: string | null;
            message: string | null;
            model: string | null;
            /** Format: uuid */
            modelConnectionId: string | null;
            /** Format: int64 */
            outputTokens: number | null;
            passed: boolean | null;
            results: {
                [key: string]: unknown;
            } | null;
            /** Format: double */
            score: number | null;
            status: components["schemas"]["EvaluationStatus"];
            /** Format: int64 */
            uncertainCostMicro: number | null;
        };
        DefinitionUnlinkedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["DefinitionLinksChanged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "definition.unlinked";
        };
        DeleteTracesRequest: {
            /** Format: int64 */
            archivedCount?: number | null;
            /** Format: int64 */
            count?: number | null;
            /** Format: date-time */
            countedAt?: string | null;
            dryRun?: boolean | null;
            filter: components["schemas"]["ListTracesRequest"];
        };
        DeleteTracesResponse: {
            /** Format: int64 */
            archivedCount: number;
            /** Format: int64 */
            count: number;
            /** Format: date-time */
            countedAt: string;
            data: components["schemas"]["TraceDeletion"] | null;
            /** Format: int64 */
            issueCount: number;
            issueIds: string[];
            /** Format: int64 */
            taskCount: number;
            taskIds: string[];
        };
        Delivery: {
            /** Format: int32 */
            attemptCount: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["DeliveryKind"];
            lastOutcome: string | null;
            /** Format: int32 */
            lastStatusCode: number | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /** Format: uuid */
            testId: string | null;
            type: string;
        };
        DeliveryAttempt: {
            /** Format: int32 */
            durationMs: number;
            /** Format: int32 */
            number: number;
            outcome: string;
            remoteAddress: string | null;
            responseBody: string | null;
            /** Format: date-time */
            startedAt: string;
            /** Format: int32 */
            statusCode: number | null;
        };
        /** @enum {string} */
        DeliveryKind: "EVENT" | "PROMPT";
        /** @enum {string} */
        DeliveryStatus: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
        DifferenceEstimate: {
            /** Format: double */
            adjustedP: number | null;
            /** Format: double */
            high: number | null;
            /** Format: double */
            low: number | null;
            /** Format: double */
            p: number | null;
            /** Format: double */
            value: number;
        };
        Document: {
            /** Format: int32 */
            activeVersionNumber: number;
            /** Format: uuid */
            applicationId: string;
            assignee: string;
            content: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            fileProcessingId: string | null;
            /** Format: uuid */
            id: string;
            isVerified: boolean;
            /** Format: date-time */
            modifiedAt: string;
            optimized: boolean;
            orgId: string;
            scrapeJobId: string | null;
            status: components["schemas"]["LibraryStatus"];
            tags: components["schemas"]["CoreTag"][];
            title: string;
            /** Format: uuid */
            topicId: string | null;
            type: components["schemas"]["DocumentType"];
            versions: components["schemas"]["DocumentVersion"][];
        };
        DocumentBase: {
            /** Format: uuid */
            applicationId: string;
            assignee: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            fileProcessingId: string | null;
            /** Format: uuid */
            id: string;
            isVerified: boolean;
            /** Format: date-time */
            modifiedAt: string;
            optimized: boolean;
            orgId: string;
            scrapeJobId: string | null;
            status: components["schemas"]["LibraryStatus"];
            /** Format: uuid */
            topicId: string | null;
            type: components["schemas"]["DocumentType"];
        };
        DocumentChunk: {
            /** Format: int32 */
            chunkIndex: number;
            content: string;
            /** Format: uuid */
            documentId: string;
            documentName: string;
            title: string;
            /** Format: uuid */
            versionId: string;
        };
        /** @enum {string} */
        DocumentStatus: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED" | "ACTIVE";
        DocumentStatusChanged: {
            documentIds: string[];
            status: components["schemas"]["DocumentStatus"];
        };
        DocumentStatusChangedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["DocumentStatusChanged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "document.status_changed";
        };
        DocumentTest: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: double */
            meceMeanContradictions: number | null;
            /** Format: double */
            meceMeanOverlap: number | null;
            message: string | null;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            progress: components["schemas"]["DocumentTestProgress"] | null;
            /** Format: uuid */
            quickstartId: string | null;
            results: {
                [key: string]: unknown;
            } | null;
            status: components["schemas"]["DocumentTestStatus"];
            type: components["schemas"]["DocumentTestType"];
            waitingFor: string | null;
        };
        DocumentTestCompleted: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: double */
            meceMeanContradictions: number | null;
            /** Format: double */
            meceMeanOverlap: number | null;
            message: string | null;
            /** Format: uuid */
            quickstartId: string | null;
            status: components["schemas"]["DocumentTestStatus"];
            type: components["schemas"]["DocumentTestType"];
        };
        DocumentTestCompletedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["DocumentTestCompleted"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "document_test.completed";
        };
        DocumentTestProgress: {
            /** Format: int64 */
            completed: number;
            /** Format: int64 */
            total: number;
        };
        /** @enum {string} */
        DocumentTestStatus: "PENDING" | "IN_PROGRESS" | "FAILED" | "COMPLETED";
        /** @enum {string} */
        DocumentTestType: "KNOWLEDGE_COVERAGE" | "MECE" | "DOCS_TO_TASKS_MAPPING";
        /** @enum {string} */
        DocumentType: "KNOWLEDGE" | "POLICY";
        DocumentVersion: {
            /** Format: uuid */
            applicationId: string;
            content: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            documentId: string;
            /** Format: uuid */
            id: string;
            language: string;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            originalSentences: string[];
            status: components["schemas"]["DocumentStatus"];
            title: string;
            type: components["schemas"]["DocumentType"];
            /** Format: int32 */
            versionNumber: number;
        };
        Erasure: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            erased: components["schemas"]["ErasureCounts"];
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            status: components["schemas"]["ErasureStatus"];
            userHash: string;
        };
        ErasureCounts: {
            /** Format: int64 */
            deliveries: number;
            /** Format: int64 */
            evaluations: number;
            /** Format: int64 */
            events: number;
            /** Format: int64 */
            humanAnnotations: number;
            /** Format: int64 */
            issues: number;
            /** Format: int64 */
            jobs: number;
            /** Format: int64 */
            steps: number;
            /** Format: int64 */
            tasks: number;
            /** Format: int64 */
            tests: number;
            /** Format: int64 */
            traces: number;
        };
        /** @enum {string} */
        ErasureStatus: "RUNNING" | "COMPLETED";
        Error: {
            message: string;
        };
        /** @enum {string} */
        ErrorCause: "APPLICATION" | "CONFIGURATION" | "JUDGE";
        EvalDefinition: {
            application: components["schemas"]["Application"] | null;
            calibration: components["schemas"]["DefinitionCalibration"] | null;
            /** Format: date-time */
            createdAt: string;
            globalConfig: components["schemas"]["GlobalConfig"] | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
            scale: components["schemas"]["PassingScale"] | null;
            /** Format: uuid */
            styleGuideId: string | null;
            topics: string[];
            type: components["schemas"]["EvalDefinitionType"];
        };
        /** @enum {string} */
        EvalDefinitionStatus: "DRAFT" | "ACTIVE";
        /** @enum {string} */
        EvalDefinitionType: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";
        Evaluation: {
            /** Format: int32 */
            attempts: number | null;
            /** Format: int64 */
            costMicro: number | null;
            /** Format: date-time */
            createdAt: string;
            definition: components["schemas"]["EvalDefinition"] | null;
            /** Format: uuid */
            definitionId: string;
            /** Format: int32 */
            definitionVersion: number | null;
            /** Format: int32 */
            durationMs: number | null;
            /** Format: int64 */
            estimatedTokens: number | null;
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            inputTokens: number | null;
            judgeVersion: string | null;
            message: string | null;
            model: string | null;
            /** Format: uuid */
            modelConnectionId: string | null;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            /** Format: int64 */
            outputTokens: number | null;
            passed: boolean | null;
            reliable: boolean | null;
            /** Format: uuid */
            replacedById: string | null;
            results: {
                [key: string]: unknown;
            } | null;
            /** Format: double */
            score: number | null;
            scoreOutOfScale: boolean | null;
            status: components["schemas"]["EvaluationStatus"];
            /** Format: uuid */
            taskId: string | null;
            /** Format: uuid */
            testId: string | null;
            /** Format: uuid */
            traceId: string | null;
            /** Format: int64 */
            uncertainCostMicro: number | null;
            waitingFor: string | null;
        };
        EvaluationSettings: {
            budgets: components["schemas"]["Budgets"] | null;
            /** Format: uuid */
            defaultConnectionId: string | null;
            /** Format: double */
            kappaFloor: number;
            monitoring: components["schemas"]["Monitoring"] | null;
            retention: components["schemas"]["Retention"] | null;
            spent: components["schemas"]["Spent"] | null;
            /** Format: int32 */
            testTimeoutMs: number | null;
            /** Format: int32 */
            votes: number;
        };
        /** @enum {string} */
        EvaluationStatus: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
        Experiment: {
            assignee: string | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** Format: uuid */
            id: string;
            inferenceStepIds: string[];
            /** Format: date-time */
            modifiedAt: string;
            /** Format: uuid */
            promotedVariantId: string | null;
            status: components["schemas"]["ExperimentStatus"];
            taskIds: string[];
            taskSet: components["schemas"]["TaskSet"] | null;
            title: string;
        };
        ExperimentCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Experiment"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "experiment.created";
        };
        /** @enum {string} */
        ExperimentStatus: "DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "RUNNING" | "COMPLETED" | "ARCHIVED";
        ExperimentVariant: {
            config: {
                [key: string]: unknown;
            } | null;
            configPatch: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** Format: uuid */
            experimentId: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            /** Format: uuid */
            parentId: string | null;
            progress: components["schemas"]["RunProgress"] | null;
            result?: components["schemas"]["RunResult"];
            /** Format: uuid */
            runId: string | null;
            status: components["schemas"]["VariantStatus"];
            stopped: boolean;
            summary: components["schemas"]["ResultSummary"] | null;
            title: string;
        };
        ExperimentVariantCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["ExperimentVariant"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "experiment_variant.created";
        };
        ExperimentVariantPromotedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["ExperimentVariant"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "experiment_variant.promoted";
        };
        /** @enum {string} */
        ExportDataset: "TRACES" | "TESTS";
        ExportedPeriod: {
            /** Format: int64 */
            bytes: number;
            /** Format: date-time */
            endDate: string;
            /** Format: int32 */
            objects: number;
            /** Format: int64 */
            rows: number;
            /** Format: date-time */
            startDate: string;
        };
        ExportedStep: {
            /** Format: int64 */
            cachedTokens: number | null;
            /** Format: int64 */
            cacheWriteTokens: number | null;
            /** Format: int64 */
            completionTokens: number | null;
            /** Format: double */
            costAmount: number | null;
            /** Format: int64 */
            durationUs: number | null;
            /** Format: date-time */
            endTime: string;
            environment: string | null;
            error: string | null;
            event: string | null;
            /** Format: uuid */
            id: string | null;
            input: string | null;
            metadata: string | null;
            modelId: string | null;
            name: string | null;
            output: string | null;
            params: string | null;
            /** Format: uuid */
            parentId: string | null;
            /** Format: int64 */
            promptTokens: number | null;
            /** Format: int64 */
            reasoningTokens: number | null;
            referenceId: string | null;
            service: string | null;
            session: string | null;
            status: string | null;
            /** Format: uuid */
            testId: string | null;
            /** Format: date-time */
            timestamp: string;
            /** Format: date-time */
            traceCreatedAt: string;
            /** Format: uuid */
            traceId: string;
            traceMetadata: string | null;
            /** Format: date-time */
            traceTimestamp: string;
            type: string | null;
            user: string | null;
            version: string | null;
        };
        ExportedTest: {
            /** Format: double */
            cost: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int32 */
            durationMs: number | null;
            errorCause: components["schemas"]["ErrorCause"] | null;
            evals: string;
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            inputTokens: number | null;
            message: string | null;
            /** Format: date-time */
            modifiedAt: string;
            outcome: components["schemas"]["TestOutcome"] | null;
            /** Format: int64 */
            outputTokens: number | null;
            passed: boolean | null;
            prompt: string | null;
            /** Format: uuid */
            runId: string;
            runType: components["schemas"]["RunType"];
            /** Format: double */
            score: number | null;
            status: components["schemas"]["ResultStatus"];
            /** Format: uuid */
            taskId: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string | null;
        };
        ExportError: {
            /** Format: date-time */
            at: string;
            /** Format: int32 */
            attempts: number;
            cause: components["schemas"]["ExportErrorCause"];
            message: string;
        };
        /** @enum {string} */
        ExportErrorCause: "ADDRESS_REFUSED" | "UNREACHABLE" | "CERTIFICATE" | "CREDENTIALS_REFUSED" | "CLOCK_SKEW" | "BUCKET_MISSING" | "WRONG_REGION" | "PERMISSION_MISSING" | "STORAGE_ERROR" | "BAD_ANSWER" | "INTERNAL";
        /** @enum {string} */
        ExportFormat: "JSONL_GZIP";
        /** @enum {string} */
        ExportInterval: "HOURLY" | "DAILY";
        ExportSettings: {
            accessKeyId: string;
            bucket: string;
            /** Format: date-time */
            createdAt: string;
            datasets: components["schemas"]["ExportDataset"][];
            enabled: boolean;
            endpoint: string;
            exports: components["schemas"]["ExportState"][];
            format: components["schemas"]["ExportFormat"];
            interval: components["schemas"]["ExportInterval"];
            /** Format: date-time */
            modifiedAt: string;
            pathStyle: boolean;
            prefix: string | null;
            region: string;
        };
        ExportState: {
            dataset: components["schemas"]["ExportDataset"];
            error: components["schemas"]["ExportError"] | null;
            /** Format: date-time */
            exportedUntil: string;
            lastExport: components["schemas"]["ExportedPeriod"] | null;
            /** Format: date-time */
            lastRunAt: string | null;
            /** Format: date-time */
            nextRunAt: string | null;
        };
        /** @enum {string} */
        ExportTestStep: "WRITE" | "READ" | "DELETE";
        ExternalEvaluation: {
            explanation: string | null;
            label: string | null;
            name: string;
            /** Format: double */
            score: number | null;
            source: string;
        };
        ExternalEvaluationInput: {
            explanation?: string | null;
            label?: string | null;
            name: string;
            /** Format: double */
            score?: number | null;
            source?: string | null;
        };
        Extract: {
            flags: string;
            group?: unknown;
            pattern: string;
        };
        ExtractInput: {
            flags: string;
            group: number | unknown[];
            pattern: string;
        };
        Fact: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            generatedBy: string | null;
            /** Format: uuid */
            id: string;
            isVerified: boolean;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            /** Format: uuid */
            quickstartId: string | null;
            scope: components["schemas"]["FactScope"];
            /** Format: uuid */
            sourceDocumentId: string | null;
            sourceQuote: string | null;
            statement: string;
            status: components["schemas"]["FactStatus"];
            topicIds: string[];
            topics: components["schemas"]["FactTopic"][];
        };
        /** @enum {string} */
        FactScope: "TOPIC" | "APPLICATION";
        /** @enum {string} */
        FactStatus: "DRAFT" | "ACTIVE";
        FactTopic: {
            /** Format: uuid */
            id: string;
            title: string;
        };
        FailedDocument: {
            /** Format: uuid */
            id: string;
            reason: string;
        };
        FeedbackSent: {
            /** Format: uuid */
            id: string;
            userId: string | null;
        };
        FeedbackSentEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["FeedbackSent"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "feedback.sent";
        };
        /** @enum {string} */
        FeedbackSource: "API" | "OTLP";
        /** @enum {string} */
        FeedbackThumb: "UP" | "DOWN";
        FieldMapping: {
            measures: string[];
            series: string | null;
            x: string | null;
        };
        GetAnnotationResponse: {
            data: components["schemas"]["Annotation"];
        };
        GetAppConfigResponse: {
            data: components["schemas"]["AppConfig"];
        };
        GetApplicationBySlugResponse: {
            data: components["schemas"]["Application"];
        };
        GetApplicationResponse: {
            data: components["schemas"]["Application"];
        };
        GetCalibrationResponse: {
            data: components["schemas"]["Calibration"];
        };
        GetContradictionResponse: {
            data: components["schemas"]["Contradiction"];
        };
        GetDatasourceColumnsResponse: {
            data: components["schemas"]["DatasourceColumn"][];
        };
        GetDefinitionResponse: {
            data: components["schemas"]["EvalDefinition"];
        };
        GetDeliveryResponse: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            data: components["schemas"]["Delivery"];
            event: {
                [key: string]: unknown;
            };
        };
        GetDocumentResponse: {
            document: components["schemas"]["Document"];
        };
        GetDocumentTestResponse: {
            data: components["schemas"]["DocumentTest"];
        };
        GetDocumentVersionResponse: {
            document: components["schemas"]["DocumentBase"];
            version: components["schemas"]["DocumentVersion"];
        };
        GetErasureResponse: {
            data: components["schemas"]["Erasure"];
        };
        GetEvaluationResponse: {
            data: components["schemas"]["Evaluation"];
        };
        GetEvaluationSettingsResponse: {
            data: components["schemas"]["EvaluationSettings"];
        };
        GetExperimentResponse: {
            data: components["schemas"]["Experiment"];
        };
        GetExperimentTaskSetResponse: {
            data: components["schemas"]["TaskSetTask"][];
            pagination: components["schemas"]["Pagination"];
            taskSet: components["schemas"]["TaskSet"];
        };
        GetExportSettingsResponse: {
            data: components["schemas"]["ExportSettings"] | null;
        };
        GetFactResponse: {
            data: components["schemas"]["Fact"];
        };
        GetHealthResponse: {
            data: components["schemas"]["Health"];
        };
        GetHumanAnnotationQueueResponse: {
            data: components["schemas"]["HumanAnnotationQueue"];
        };
        GetHumanAnnotationResponse: {
            data: components["schemas"]["HumanAnnotation"];
        };
        GetIngestSettingsResponse: {
            data: components["schemas"]["IngestSettings"];
        };
        GetIssueResponse: {
            data: components["schemas"]["IssueOutput"];
        };
        GetMemberResponse: {
            data: components["schemas"]["Member"];
        };
        GetModelConnectionResponse: {
            data: components["schemas"]["ModelConnection"];
        };
        GetModelPricesResponse: {
            data: components["schemas"]["ModelPriceList"];
        };
        GetQuickstartResponse: {
            data: components["schemas"]["Quickstart"];
        };
        GetRunResponse: {
            run: components["schemas"]["Run"];
        };
        GetSessionResponse: {
            data: components["schemas"]["Session"];
            pagination: components["schemas"]["Pagination"];
            traces: components["schemas"]["Trace"][];
        };
        GetStyleGuideResponse: {
            data: components["schemas"]["StyleGuide"];
        };
        GetTagResponse: {
            data: components["schemas"]["Tag"];
        };
        GetTaskResponse: {
            task: components["schemas"]["Task"];
        };
        GetTaskScheduleResponse: {
            /** Format: uuid */
            applicationId: string;
            /** @enum {string} */
            criticality: "LOW" | "MEDIUM" | "HIGH";
            cron: string;
            /** Format: date-time */
            lastRunAt: string | null;
            /** Format: date-time */
            nextRunAt: string | null;
            /** Format: uuid */
            taskId: string;
            timezone: string;
        };
        GetTestResponse: {
            test: components["schemas"]["Test"];
        };
        GetTopicResponse: {
            data: components["schemas"]["Topic"];
        };
        GetTraceByTestResponse: {
            data: components["schemas"]["Trace"];
        };
        GetTraceDeletionResponse: {
            data: components["schemas"]["TraceDeletion"];
        };
        GetTraceResponse: {
            data: components["schemas"]["Trace"];
        };
        GetUserResponse: {
            data: components["schemas"]["User"];
        };
        GetVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        GetWebhookResponse: {
            data: components["schemas"]["Webhook"] | null;
        };
        GlobalConfig: {
            criterion?: string;
            extract?: components["schemas"]["Extract"];
            groundTruth?: string;
            /** @enum {string} */
            matchMode?: "exact_unordered" | "contains";
            /** Format: double */
            passThreshold?: number;
            /** @enum {string} */
            scoreMetric?: "f1" | "precision" | "recall";
            settings?: components["schemas"]["ComparisonSettings"];
            /** @enum {string} */
            type?: "string" | "list";
        };
        GlobalConfigInput: {
            criterion?: string | null;
            extract?: components["schemas"]["ExtractInput"] | null;
            groundTruth?: string | null;
            /** @enum {string|null} */
            matchMode?: "exact_unordered" | "contains" | null;
            /** Format: double */
            passThreshold?: number | null;
            /** @enum {string|null} */
            scoreMetric?: "f1" | "precision" | "recall" | null;
            settings?: components["schemas"]["ComparisonSettingsInput"] | null;
            /** @enum {string|null} */
            type?: "string" | "list" | null;
        };
        Health: {
            findings: components["schemas"]["HealthFinding"][];
            status: components["schemas"]["HealthStatus"];
            /** Format: date-time */
            time: string;
        };
        HealthFinding: {
            advice: string | null;
            detail: string;
            name: string;
            status: components["schemas"]["HealthStatus"];
        };
        /** @enum {string} */
        HealthStatus: "OK" | "WARNING" | "FAILURE";
        HumanAnnotation: {
            annotator: components["schemas"]["UserReference"] | null;
            /** Format: uuid */
            annotatorId: string;
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            critique: string | null;
            /** Format: uuid */
            definitionId: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            issueId: string | null;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            /** Format: uuid */
            passId: string | null;
            /** Format: uuid */
            queueItemId: string | null;
            /** Format: double */
            score: number | null;
            source: components["schemas"]["HumanAnnotationSource"];
            /** Format: uuid */
            traceId: string;
            verdict: boolean;
        };
        HumanAnnotationQueue: {
            /** Format: uuid */
            applicationId: string;
            assigneeEmail: string;
            /** Format: uuid */
            assigneeId: string;
            assigneeName: string;
            /** Format: int32 */
            completedCount: number;
            /** Format: date-time */
            createdAt: string;
            criterion: components["schemas"]["ReviewedCriterion"] | null;
            /** Format: uuid */
            definitionId: string | null;
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: int32 */
            pendingCount: number;
            /** Format: uuid */
            topicId: string;
            topicTitle: string;
        };
        HumanAnnotationQueueItem: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            criterion: components["schemas"]["ReviewedCriterion"] | null;
            /** Format: uuid */
            definitionId: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: uuid */
            queueId: string;
            /** Format: uuid */
            traceId: string;
        };
        /** @enum {string} */
        HumanAnnotationSource: "REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE";
        ImportCatalogRowsRequest: {
            /** Format: uuid */
            importId: string;
            isLast?: boolean | null;
            schema: string;
            tables?: components["schemas"]["TableRowsInput"][] | null;
        };
        ImportCatalogRowsResponse: {
            /** Format: int64 */
            count: number;
        };
        ImportResultRowsRequest: {
            /** Format: uuid */
            importId: string;
            isLast?: boolean | null;
            schema: string;
            tables?: components["schemas"]["TableRowsInput"][] | null;
        };
        ImportResultRowsResponse: {
            /** Format: int64 */
            count: number;
        };
        ImportTasksRequest: {
            content: string;
            dryRun?: boolean | null;
            expandLists?: boolean | null;
            files?: {
                [key: string]: string;
            } | null;
            format?: components["schemas"]["TaskImportFormat"] | null;
            mapping?: {
                [key: string]: string;
            } | null;
            overwrite?: boolean | null;
            source?: string | null;
            unmappedAsMetadata?: boolean | null;
        };
        ImportTasksResponse: {
            /** Format: int64 */
            blankRows: number;
            columns: components["schemas"]["TaskImportColumn"][];
            /** Format: int64 */
            conflicts: number;
            /** Format: int64 */
            created: number;
            /** Format: int64 */
            definitionsCreated: number;
            dryRun: boolean;
            errors: components["schemas"]["TaskImportError"][];
            format: components["schemas"]["TaskImportFormat"] | null;
            /** Format: int64 */
            issuesOmitted: number;
            notes: string[];
            notImportedYet: components["schemas"]["TaskImportError"][];
            /** Format: int64 */
            notImportedYetOmitted: number;
            preview: components["schemas"]["TaskImportPreview"][];
            /** Format: int64 */
            replacedCharacters: number;
            /** Format: int64 */
            rows: number;
            shape: components["schemas"]["TaskImportShape"] | null;
            taskIds: string[];
            /** Format: int64 */
            unchanged: number;
            unmappedColumns: string[];
            /** Format: int64 */
            updated: number;
        };
        ImportTraceRowsRequest: {
            /** Format: uuid */
            importId: string;
            isLast?: boolean | null;
            schema: string;
            tables?: components["schemas"]["TableRowsInput"][] | null;
        };
        ImportTraceRowsResponse: {
            /** Format: int64 */
            count: number;
        };
        InferenceStep: {
            /** Format: date-time */
            createdAt: string;
            description: string;
            externalId: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            title: string;
            type: components["schemas"]["InferenceStepType"];
        };
        /** @enum {string} */
        InferenceStepType: "LLM" | "RETRIEVER";
        IngestEvent: {
            content?: unknown;
            /** Format: double */
            costAmount?: number | null;
            cursor?: string | null;
            /** Format: double */
            durationMs?: number | null;
            /** Format: date-time */
            endTime?: string | number | null;
            environment?: string | null;
            error?: string | null;
            evals?: {
                [key: string]: unknown;
            }[] | null;
            evaluationExplanation?: unknown;
            evaluationLabel?: string | null;
            /** Format: double */
            evaluationScore?: number | null;
            evaluatorName?: string | null;
            /** @enum {string|null} */
            event?: "start" | "end" | null;
            externalEvaluations?: components["schemas"]["ExternalEvaluationInput"][] | null;
            finishReason?: string | null;
            group?: string | null;
            guardrailAction?: string | null;
            guardrailTriggered?: boolean | null;
            guardrailType?: string | null;
            hasError?: boolean | null;
            id?: string | null;
            input?: unknown;
            key?: string | null;
            metadata?: unknown;
            modelId?: string | null;
            name?: string | null;
            output?: unknown;
            params?: unknown;
            parentId?: string | null;
            query?: unknown;
            referenceId?: string | null;
            result?: unknown;
            service?: string | null;
            session?: string | null;
            /** @enum {string|null} */
            status?: "success" | "error" | "timeout" | "pending" | null;
            statusCode?: string | null;
            /** Format: int64 */
            stepCount?: number | null;
            steps?: components["schemas"]["IngestStep"][] | null;
            /** Format: uuid */
            testId?: string | null;
            /** Format: date-time */
            timestamp?: string | number | null;
            tokens?: components["schemas"]["IngestTokens"] | null;
            toolCallId?: string | null;
            toolInput?: unknown;
            toolOutput?: unknown;
            /** Format: int64 */
            totalCompletionTokens?: number | null;
            /** Format: double */
            totalCost?: number | null;
            /** Format: double */
            totalDurationMs?: number | null;
            /** Format: int64 */
            totalPromptTokens?: number | null;
            traceId?: string | null;
            /** @enum {string} */
            type: "trace" | "llm" | "tool" | "retriever" | "reranker" | "agent" | "embedding" | "guardrail" | "evaluator" | "log" | "group" | "request" | "response";
            usage?: components["schemas"]["IngestUsage"] | null;
            user?: string | null;
            version?: string | null;
        };
        IngestEventsRequest: {
            events: components["schemas"]["IngestEvent"][];
        };
        IngestEventsResponse: {
            data: components["schemas"]["IngestResult"][];
        };
        IngestResult: {
            error: string | null;
            /** Format: uuid */
            id: string | null;
            success: boolean;
        };
        IngestSettings: {
            answer: string | null;
            context: string | null;
            /** Format: date-time */
            modifiedAt: string | null;
            noise: components["schemas"]["NoiseRule"][];
            question: string | null;
            redactions: components["schemas"]["Redaction"][];
            session: string | null;
            user: string | null;
        };
        IngestStep: {
            content?: unknown;
            /** Format: double */
            costAmount?: number | null;
            /** Format: double */
            durationMs?: number | null;
            /** Format: date-time */
            endTime?: string | number | null;
            error?: string | null;
            evaluationExplanation?: unknown;
            evaluationLabel?: string | null;
            /** Format: double */
            evaluationScore?: number | null;
            evaluatorName?: string | null;
            /** @enum {string|null} */
            event?: "start" | "end" | null;
            finishReason?: string | null;
            group?: string | null;
            guardrailAction?: string | null;
            guardrailTriggered?: boolean | null;
            guardrailType?: string | null;
            id?: string | null;
            input?: unknown;
            key?: string | null;
            metadata?: unknown;
            modelId?: string | null;
            name?: string | null;
            output?: unknown;
            params?: unknown;
            parentId?: string | null;
            query?: unknown;
            result?: unknown;
            /** @enum {string|null} */
            status?: "success" | "error" | "timeout" | "pending" | null;
            statusCode?: string | null;
            steps?: components["schemas"]["IngestStep"][] | null;
            /** Format: date-time */
            timestamp?: string | number | null;
            tokens?: components["schemas"]["IngestTokens"] | null;
            toolCallId?: string | null;
            toolInput?: unknown;
            toolOutput?: unknown;
            traceId?: string | null;
            /** @enum {string} */
            type: "llm" | "tool" | "retriever" | "reranker" | "agent" | "embedding" | "guardrail" | "evaluator" | "log" | "group" | "request" | "response";
            usage?: components["schemas"]["IngestUsage"] | null;
        };
        IngestTokens: {
            /** Format: int64 */
            cachedInput?: number | null;
            /** Format: int64 */
            cacheWrite?: number | null;
            /** Format: int64 */
            input?: number | null;
            /** Format: int64 */
            output?: number | null;
            /** Format: int64 */
            reasoning?: number | null;
        };
        IngestUsage: {
            /** Format: int64 */
            cache_creation_input_tokens?: number | null;
            /** Format: int64 */
            cache_read_input_tokens?: number | null;
            /** Format: int64 */
            cachedInputTokens?: number | null;
            /** Format: int64 */
            cachedTokens?: number | null;
            /** Format: int64 */
            cacheWriteTokens?: number | null;
            /** Format: int64 */
            completion_tokens?: number | null;
            completion_tokens_details?: components["schemas"]["IngestUsageDetails"] | null;
            /** Format: int64 */
            completionTokens?: number | null;
            /** Format: int64 */
            input_tokens?: number | null;
            input_tokens_details?: components["schemas"]["IngestUsageDetails"] | null;
            /** Format: int64 */
            inputTokens?: number | null;
            /** Format: int64 */
            output_tokens?: number | null;
            output_tokens_details?: components["schemas"]["IngestUsageDetails"] | null;
            /** Format: int64 */
            outputTokens?: number | null;
            /** Format: int64 */
            prompt_tokens?: number | null;
            prompt_tokens_details?: components["schemas"]["IngestUsageDetails"] | null;
            /** Format: int64 */
            promptTokens?: number | null;
            /** Format: int64 */
            reasoningTokens?: number | null;
        };
        IngestUsageDetails: {
            /** Format: int64 */
            cached_tokens?: number | null;
            /** Format: int64 */
            reasoning_tokens?: number | null;
        };
        Invitation: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            invitedBy: string;
            role: components["schemas"]["MemberRole"];
        };
        Issue: {
            /** @enum {string} */
            code: "invalid_type" | "invalid_string" | "too_small" | "too_big" | "invalid_enum_value" | "unrecognized_keys" | "invalid_json" | "custom";
            message: string;
            path: string[];
        };
        IssueCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["IssueOutput"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "issue.created";
        };
        IssueOutput: {
            /** Format: uuid */
            annotationId: string | null;
            /** Format: uuid */
            applicationId: string;
            assignedTo: string | null;
            assignedUser: components["schemas"]["UserReference"] | null;
            comment: string | null;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /** Format: uuid */
            evalDefinitionId: string | null;
            /** Format: uuid */
            experimentId: string | null;
            /** Format: uuid */
            id: string;
            impact: string | null;
            issues: components["schemas"]["SubIssue"][];
            /** Format: date-time */
            lastOccurredAt: string;
            /** Format: date-time */
            modifiedAt: string;
            /** Format: int32 */
            occurrences: number;
            orgId: string;
            /** Format: uuid */
            parentId: string | null;
            priority: components["schemas"]["IssuePriority"];
            /** Format: uuid */
            resolvedByTestId: string | null;
            source: components["schemas"]["IssueSource"];
            status: components["schemas"]["IssueStatus"];
            summary: string | null;
            /** Format: uuid */
            taskId: string | null;
            /** Format: uuid */
            testId: string | null;
            title: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string | null;
            type: components["schemas"]["IssueType"];
        };
        /** @enum {string} */
        IssuePriority: "LOW" | "MEDIUM" | "HIGH";
        /** @enum {string} */
        IssueSource: "TEST" | "TASK" | "TOPIC" | "SYSTEM" | "MONITORING" | "API" | "HUMAN_ANNOTATION";
        /** @enum {string} */
        IssueStatus: "OPEN" | "RESOLVED" | "REJECTED";
        /** @enum {string} */
        IssueType: "BUG" | "HUMAN_ANNOTATION" | "SUGGESTED_TASK" | "USER_SIGNAL";
        JudgeConfusion: {
            /** Format: int32 */
            bothFail: number;
            /** Format: int32 */
            bothPass: number;
            /** Format: int32 */
            onlyJudgePasses: number;
            /** Format: int32 */
            onlyPeoplePass: number;
        };
        JudgeQuality: {
            confusion: components["schemas"]["JudgeConfusion"] | null;
            correctedPassRate: components["schemas"]["ComparisonEstimate"] | null;
            correlation: components["schemas"]["ComparisonEstimate"] | null;
            /** Format: int32 */
            definitionVersion: number | null;
            /** Format: int64 */
            evaluations: number;
            /** Format: date-time */
            firstAt: string | null;
            judgedPassRate: components["schemas"]["ComparisonEstimate"] | null;
            judgeVersion: string | null;
            kappa: components["schemas"]["ComparisonEstimate"] | null;
            /** Format: date-time */
            lastAt: string | null;
            model: string | null;
            reliable: boolean | null;
            /** Format: int32 */
            scoredTraces: number;
            sensitivity: components["schemas"]["ComparisonEstimate"] | null;
            specificity: components["schemas"]["ComparisonEstimate"] | null;
            summary: string;
            /** Format: int32 */
            undecided: number;
            weightedKappa: components["schemas"]["ComparisonEstimate"] | null;
        };
        /** @enum {string} */
        LibraryStatus: "DRAFT" | "ACTIVE";
        LinkApplicationRequest: {
            evalIds: string[];
        };
        LinkConfig: {
            expected?: unknown;
        };
        LinkConfigInput: {
            expected?: string | string[] | null;
        };
        LinkTasksRequest: {
            config?: components["schemas"]["LinkConfigInput"] | null;
            evalIds: string[];
            taskIds: string[];
        };
        LinkTopicsRequest: {
            config?: components["schemas"]["LinkConfigInput"] | null;
            evalIds: string[];
            topicIds: string[];
        };
        ListAnnotationsResponse: {
            data: components["schemas"]["Annotation"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListApiKeysResponse: {
            data: components["schemas"]["ListedApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListApplicationsResponse: {
            data: components["schemas"]["Application"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListAssignmentsResponse: {
            data: components["schemas"]["Assignment"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListAuditLogResponse: {
            data: components["schemas"]["AuditLogEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListContradictionsResponse: {
            data: components["schemas"]["Contradiction"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListDefinitionsResponse: {
            data: components["schemas"]["EvalDefinition"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListDeliveriesResponse: {
            data: components["schemas"]["Delivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListDocumentChunksResponse: {
            data: components["schemas"]["DocumentChunk"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListDocumentsResponse: {
            data: components["schemas"]["Document"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListDocumentTagsResponse: {
            data: components["schemas"]["Tag"][];
        };
        ListDocumentTestsResponse: {
            data: components["schemas"]["DocumentTest"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListDocumentVersionsResponse: {
            document: components["schemas"]["DocumentBase"];
            versions: components["schemas"]["DocumentVersion"][];
        };
        ListedApiKey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            name: string;
            prefix: string;
            scopes: string[];
        };
        ListedTask: {
            /** Format: uuid */
            applicationId: string;
            combined: components["schemas"]["Metrics"] | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            evalDefinitions: components["schemas"]["EvalDefinition"][];
            examples: components["schemas"]["TaskExample"][];
            /** Format: uuid */
            id: string;
            inputExamples: string[];
            isVerified: boolean;
            /** Format: date-time */
            lastTest: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            modifiedAt: string;
            monitoring: components["schemas"]["Metrics"] | null;
            /** Format: double */
            monitoringPassRate: number | null;
            orgId: string;
            /** Format: uuid */
            parentId: string | null;
            /** Format: double */
            passRate: number | null;
            prompts: string[];
            simulatedPromptSchema: {
                [key: string]: unknown;
            } | null;
            status: components["schemas"]["TaskStatus"];
            synthetic: components["schemas"]["Metrics"] | null;
            tags: components["schemas"]["CoreTag"][];
            taskSchedule: components["schemas"]["TaskSchedule"] | null;
            title: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string | null;
            type: components["schemas"]["TaskType"];
        };
        ListErasuresResponse: {
            data: components["schemas"]["Erasure"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListEvaluationsResponse: {
            data: components["schemas"]["Evaluation"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListExperimentsResponse: {
            data: components["schemas"]["Experiment"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListFactsResponse: {
            data: components["schemas"]["Fact"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListHumanAnnotationQueueItemsResponse: {
            data: components["schemas"]["HumanAnnotationQueueItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListHumanAnnotationQueuesResponse: {
            data: components["schemas"]["HumanAnnotationQueue"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListHumanAnnotationsResponse: {
            data: components["schemas"]["HumanAnnotation"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListInferenceStepsResponse: {
            data: components["schemas"]["InferenceStep"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListInvitationsResponse: {
            data: components["schemas"]["Invitation"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListIssuesResponse: {
            data: components["schemas"]["IssueOutput"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListMembersResponse: {
            data: components["schemas"]["Member"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListMinimalIssuesResponse: {
            data: components["schemas"]["MinimalIssue"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListModelConnectionsResponse: {
            data: components["schemas"]["ModelConnection"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListQuickstartsResponse: {
            data: components["schemas"]["Quickstart"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListResultsResponse: {
            data: components["schemas"]["RecordedTest"][];
        };
        ListRunsResponse: {
            data: components["schemas"]["Run"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListSessionsResponse: {
            data: components["schemas"]["Session"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListStyleGuidesResponse: {
            data: components["schemas"]["StyleGuide"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListTagsResponse: {
            data: components["schemas"]["Tag"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListTasksResponse: {
            data: components["schemas"]["ListedTask"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListTaskTagsResponse: {
            data: components["schemas"]["Tag"][];
        };
        ListTestsResponse: {
            data: components["schemas"]["Test"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListTopicsResponse: {
            data: components["schemas"]["Topic"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListTracesRequest: {
            after?: string | null;
            /** @enum {string|null} */
            consistency?: "indexed" | null;
            /** Format: date-time */
            endDate?: string | null;
            environment?: string | null;
            externalEvaluation?: string | null;
            externalLabel?: string | null;
            feedbackThumb?: components["schemas"]["FeedbackThumb"] | null;
            hasError?: boolean | null;
            hasFeedback?: boolean | null;
            /** Format: int32 */
            limit?: number | null;
            /** Format: double */
            maxCost?: number | null;
            /** Format: int64 */
            maxDuration?: number | null;
            /** Format: double */
            maxExternalScore?: number | null;
            /** Format: double */
            maxFeedbackScore?: number | null;
            /** Format: double */
            maxScore?: number | null;
            metadataKey?: string | null;
            metadataValue?: string | null;
            /** Format: double */
            minCost?: number | null;
            /** Format: int64 */
            minDuration?: number | null;
            /** Format: double */
            minExternalScore?: number | null;
            /** Format: double */
            minFeedbackScore?: number | null;
            /** Format: double */
            minScore?: number | null;
            /** @enum {string|null} */
            orderBy?: "createdAt" | "modifiedAt" | "timestamp" | "totalCost" | "totalDurationMs" | "stepCount" | "id" | null;
            /** @enum {string|null} */
            orderDir?: "asc" | "desc" | null;
            referenceId?: string | null;
            search?: string | null;
            service?: string | null;
            session?: string | null;
            /** Format: uuid */
            sessionId?: string | null;
            /** Format: int64 */
            skip?: number | null;
            /** Format: date-time */
            startDate?: string | null;
            /** @enum {string|null} */
            store?: "archive" | null;
            /** Format: uuid */
            testId?: string | null;
            user?: string | null;
            version?: string | null;
        };
        ListTracesResponse: {
            data: components["schemas"]["Trace"][];
            pagination: components["schemas"]["Pagination"];
            /** Format: int64 */
            unindexed?: number;
        };
        ListTraceStepsResponse: {
            data: components["schemas"]["TraceStep"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListUsersResponse: {
            data: components["schemas"]["User"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListVariantsResponse: {
            data: components["schemas"]["ExperimentVariant"][];
            pagination: components["schemas"]["Pagination"];
        };
        Member: {
            /** Format: date-time */
            createdAt: string;
            email: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
            role: components["schemas"]["MemberRole"];
            userId: string;
        };
        /** @enum {string} */
        MemberRole: "OWNER" | "EDITOR" | "REVIEWER" | "VIEWER";
        /** @enum {string} */
        MetricLevel: "HIGH" | "MEDIUM" | "LOW";
        Metrics: {
            confidence: components["schemas"]["Confidence"] | null;
            /** Format: int64 */
            errored: number;
            /** Format: int64 */
            evaluations: number;
            /** Format: double */
            healthScore: number | null;
            /** Format: int64 */
            passed: number;
            /** Format: double */
            passRate: number | null;
            /** Format: int64 */
            recommendedAdditionalEvaluations: number;
            stability: components["schemas"]["Stability"] | null;
            /** Format: int64 */
            tests: number;
            /** Format: int64 */
            testsPassed: number;
        };
        MinimalIssue: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            priority: components["schemas"]["IssuePriority"];
            source: components["schemas"]["IssueSource"];
            status: components["schemas"]["IssueStatus"];
            title: string;
            type: components["schemas"]["IssueType"];
        };
        ModelConnection: {
            apiKeyLastFour: string | null;
            baseUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            default: boolean;
            /** Format: uuid */
            id: string;
            limits: components["schemas"]["ModelLimits"] | null;
            model: string;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
            /** Format: date-time */
            pausedAt: string | null;
            pauseReason: string | null;
            prices: components["schemas"]["ModelPrices"] | null;
            provider: string;
        };
        ModelConnectionPaused: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            pausedAt: string;
            provider: string;
            reason: string;
        };
        ModelConnectionPausedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["ModelConnectionPaused"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "model_connection.paused";
        };
        ModelConnectionProblem: {
            /** @enum {string} */
            check: "reachable" | "authenticated" | "modelExists" | "structuredOutput" | "usageReported" | "priceKnown";
            message: string;
        };
        ModelLimits: {
            /** Format: int32 */
            concurrency: number | null;
            /** Format: int32 */
            requestsPerMinute: number | null;
            /** Format: int32 */
            tokensPerMinute: number | null;
        };
        ModelLimitsInput: {
            /** Format: int32 */
            concurrency?: number | null;
            /** Format: int32 */
            requestsPerMinute?: number | null;
            /** Format: int32 */
            tokensPerMinute?: number | null;
        };
        ModelPrice: {
            /** Format: double */
            cachedInputPerMillion: number | null;
            /** Format: double */
            cacheWritePerMillion: number | null;
            /** Format: double */
            inputPerMillion: number;
            model: string;
            /** Format: double */
            outputPerMillion: number;
            /** Format: double */
            reasoningPerMillion: number | null;
            tiers: components["schemas"]["ModelPriceTier"][];
        };
        ModelPriceInput: {
            /** Format: double */
            cachedInputPerMillion?: number | null;
            /** Format: double */
            cacheWritePerMillion?: number | null;
            /** Format: double */
            inputPerMillion: number;
            model: string;
            /** Format: double */
            outputPerMillion: number;
            /** Format: double */
            reasoningPerMillion?: number | null;
            tiers?: components["schemas"]["ModelPriceTierInput"][] | null;
        };
        ModelPriceList: {
            /** Format: date-time */
            modifiedAt: string | null;
            prices: components["schemas"]["ModelPrice"][];
        };
        ModelPrices: {
            /** Format: double */
            inputPerMillion: number | null;
            /** Format: double */
            outputPerMillion: number | null;
        };
        ModelPricesInput: {
            /** Format: double */
            inputPerMillion: number;
            /** Format: double */
            outputPerMillion: number;
        };
        ModelPriceTier: {
            /** Format: int64 */
            aboveInputTokens: number;
            /** Format: double */
            cachedInputPerMillion: number | null;
            /** Format: double */
            cacheWritePerMillion: number | null;
            /** Format: double */
            inputPerMillion: number | null;
            /** Format: double */
            outputPerMillion: number | null;
            /** Format: double */
            reasoningPerMillion: number | null;
        };
        ModelPriceTierInput: {
            /** Format: int64 */
            aboveInputTokens: number;
            /** Format: double */
            cachedInputPerMillion?: number | null;
            /** Format: double */
            cacheWritePerMillion?: number | null;
            /** Format: double */
            inputPerMillion?: number | null;
            /** Format: double */
            outputPerMillion?: number | null;
            /** Format: double */
            reasoningPerMillion?: number | null;
        };
        Monitoring: {
            /** Format: double */
            sampleRate: number;
        };
        MonitoringInput: {
            /** Format: double */
            sampleRate: number;
        };
        NewAssignment: {
            assignedTo: string;
            stage: components["schemas"]["AssignmentStage"];
            /** Format: uuid */
            topicId: string;
        };
        NewContradiction: {
            /** Format: uuid */
            documentAId: string;
            /** Format: uuid */
            documentBId: string;
            /** Format: uuid */
            documentTestId: string;
            passageA: string;
            passageB: string;
            reason: string;
        };
        NewEvaluation: {
            /** Format: uuid */
            definitionId: string;
            message?: string | null;
            passed?: boolean | null;
            results?: {
                [key: string]: unknown;
            } | null;
            /** Format: double */
            score?: number | null;
            status?: components["schemas"]["EvaluationStatus"] | null;
        };
        NewRedaction: {
            builtIn?: components["schemas"]["BuiltInPattern"] | null;
            enabled?: boolean | null;
            name?: string | null;
            pattern?: string | null;
            replacement?: string | null;
        };
        NewRun: {
            commit?: string | null;
            /** Format: uuid */
            experimentVariantId?: string | null;
            notes?: string | null;
            title?: string | null;
            type?: components["schemas"]["RunType"] | null;
            version?: string | null;
        };
        NewTest: {
            /** Format: date-time */
            createdAt?: string | null;
            /** Format: int32 */
            durationMs?: number | null;
            evaluations?: components["schemas"]["NewEvaluation"][] | null;
            passed?: boolean | null;
            /** Format: double */
            score?: number | null;
            status?: components["schemas"]["ResultStatus"] | null;
            /** Format: uuid */
            taskId: string;
        };
        NoiseRule: {
            attribute: string | null;
            keep: boolean;
            name: string | null;
            service: string | null;
            value: string | null;
        };
        NoiseRuleInput: {
            attribute?: string | null;
            keep: boolean;
            name?: string | null;
            service?: string | null;
            value?: string | null;
        };
        NotCompared: {
            baseline: components["schemas"]["NotComparedTasks"] | null;
            /** Format: int64 */
            tasks: number;
            variant: components["schemas"]["NotComparedTasks"] | null;
        };
        NotComparedTasks: {
            /** Format: int64 */
            application: number;
            /** Format: int64 */
            configuration: number;
            /** Format: int64 */
            judge: number;
            /** Format: int64 */
            none: number;
        };
        Pagination: {
            /** Format: date-time */
            archivedBefore?: string;
            /** Format: int32 */
            limit: number;
            nextCursor: string | null;
            /** Format: int64 */
            skip: number;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            totalCount: number;
            /** Format: int64 */
            totalPages: number;
        };
        PassingScale: {
            /** Format: double */
            high: number;
            /** Format: double */
            low: number;
            /** Format: double */
            threshold: number;
        };
        PeriodSpent: {
            /** Format: date-time */
            endsAt: string;
            /** Format: double */
            estimatedMoney: number;
            /** Format: int64 */
            estimatedTokens: number;
            /** Format: double */
            money: number;
            /** Format: int64 */
            tokens: number;
            /** Format: double */
            uncertainMoney: number;
            /** Format: int64 */
            uncertainTokens: number;
        };
        PromoteVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        PutTaskScheduleRequest: {
            /** @enum {string} */
            criticality: "LOW" | "MEDIUM" | "HIGH";
            cron: string;
            timezone?: string | null;
        };
        PutTaskScheduleResponse: {
            /** Format: uuid */
            applicationId: string;
            /** @enum {string} */
            criticality: "LOW" | "MEDIUM" | "HIGH";
            cron: string;
            /** Format: date-time */
            lastRunAt: string | null;
            /** Format: date-time */
            nextRunAt: string | null;
            /** Format: uuid */
            taskId: string;
            timezone: string;
        };
        QueryDatasourceColumnsRequest: {
            groupBy?: components["schemas"]["ReportGroup"][] | null;
            /** @enum {string} */
            intent: "filters" | "groupBy" | "measurements" | "orderBy";
            measurements?: components["schemas"]["ReportMeasurement"][] | null;
        };
        QueryDatasourceColumnsResponse: {
            data: components["schemas"]["DatasourceColumn"][];
        };
        QueryReportRequest: {
            /** @enum {string} */
            datasource: "task" | "test" | "eval" | "trace" | "step" | "session" | "human_annotation" | "feedback" | "topic" | "tag";
            filters?: components["schemas"]["ReportFilter"][] | null;
            groupBy?: components["schemas"]["ReportGroup"][] | null;
            includeArchived?: boolean | null;
            /** Format: int32 */
            limit?: number | null;
            measurements?: components["schemas"]["ReportMeasurement"][] | null;
            orderBy?: components["schemas"]["ReportOrder"][] | null;
            /** Format: int64 */
            skip?: number | null;
            timezone: string;
        };
        QueryReportResponse: {
            data: components["schemas"]["Report"];
            pagination: components["schemas"]["ReportPagination"];
        };
        QueueCalibrationTracesRequest: {
            /** Format: int32 */
            limit?: number | null;
            /** Format: uuid */
            queueId: string;
            /** Format: uuid */
            topicId?: string | null;
        };
        QueueCalibrationTracesResponse: {
            /** Format: int32 */
            count: number;
        };
        /** @enum {string} */
        QueueItemCompletion: "PENDING" | "COMPLETED" | "EXPIRED" | "ACTIVE";
        Quickstart: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            title: string;
        };
        ReadCatalogRowsResponse: {
            nextCursor: string | null;
            schema: string;
            tables: components["schemas"]["TableRows"][];
        };
        ReadResultRowsResponse: {
            nextCursor: string | null;
            schema: string;
            tables: components["schemas"]["TableRows"][];
        };
        ReadTraceRowsResponse: {
            nextCursor: string | null;
            schema: string;
            tables: components["schemas"]["TableRows"][];
        };
        ReassignAssignmentsRequest: {
            assignedTo: string;
            ids: string[];
        };
        ReassignAssignmentsResponse: {
            /** Format: int64 */
            count: number;
        };
        RecordedEvaluation: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            definitionId: string;
            definitionType: components["schemas"]["EvalDefinitionType"];
            /** Format: uuid */
            id: string;
            message: string | null;
            /** Format: date-time */
            modifiedAt: string;
            passed: boolean | null;
            results: {
                [key: string]: unknown;
            } | null;
            /** Format: double */
            score: number | null;
            status: components["schemas"]["EvaluationStatus"];
        };
        RecordedRun: {
            /** Format: uuid */
            applicationId: string;
            commit: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            experimentVariantId: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
            notes: string | null;
            orgId: string;
            status: components["schemas"]["ResultStatus"];
            title: string | null;
            type: components["schemas"]["RunType"];
            version: string | null;
        };
        RecordedTest: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int32 */
            durationMs: number | null;
            errorCause: components["schemas"]["ErrorCause"] | null;
            evaluations: components["schemas"]["RecordedEvaluation"][];
            /** Format: uuid */
            id: string;
            message: string | null;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            outcome: components["schemas"]["TestOutcome"] | null;
            passed: boolean | null;
            /** Format: uuid */
            runId: string;
            runType: components["schemas"]["RunType"];
            /** Format: double */
            score: number | null;
            status: components["schemas"]["ResultStatus"];
            /** Format: uuid */
            taskId: string;
            /** Format: uuid */
            topicId: string | null;
        };
        RecordResultsRequest: {
            run?: components["schemas"]["NewRun"] | null;
            /** Format: uuid */
            runId?: string | null;
            tests: components["schemas"]["NewTest"][];
        };
        RecordResultsResponse: {
            /** Format: int64 */
            count: number;
            /** Format: int64 */
            evaluationCount: number;
            run: components["schemas"]["RecordedRun"];
            testIds: string[];
        };
        RecordTraceFeedbackRequest: {
            comment?: string | null;
            /** Format: double */
            score?: number | null;
            thumb?: components["schemas"]["FeedbackThumb"] | null;
            user?: string | null;
        };
        RecordTraceFeedbackResponse: {
            data: components["schemas"]["TraceFeedback"];
        };
        RecoverDeliveriesRequest: {
            /** Format: date-time */
            since: string;
        };
        RecoverDeliveriesResponse: {
            /** Format: int64 */
            count: number;
        };
        Redaction: {
            builtIn: components["schemas"]["BuiltInPattern"] | null;
            enabled: boolean;
            name: string;
            pattern: string | null;
            replacement: string;
        };
        RejectVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        Report: {
            columns: components["schemas"]["ReportColumn"][];
            datasource: string;
            results: {
                [key: string]: unknown;
            }[];
            unreliableDefinitions: components["schemas"]["UnreliableDefinition"][];
            visualization: components["schemas"]["Visualization"];
        };
        ReportColumn: {
            id: string;
            name: string;
            type: string;
        };
        ReportFilter: {
            column: string;
            /** @enum {string} */
            operator: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "between";
            /** @enum {string} */
            type: "string" | "number" | "boolean" | "date";
            value: unknown[];
        };
        ReportGroup: {
            column: string;
            /** @enum {string|null} */
            dateTrunc?: "hour" | "day" | "week" | "month" | "quarter" | "year" | null;
            /** @enum {string} */
            type: "string" | "number" | "boolean" | "date";
        };
        ReportMeasurement: {
            column?: string | null;
            /** @enum {string} */
            type: "count" | "avg" | "sum" | "min" | "max" | "p50" | "p90" | "p95" | "p99" | "interval";
        };
        ReportOrder: {
            column: string;
            /** @enum {string} */
            direction: "asc" | "desc";
        };
        ReportPagination: {
            /** Format: int32 */
            limit: number;
            /** Format: int64 */
            skip: number;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            totalPages: number;
        };
        RepricedTraces: {
            /** Format: int64 */
            archivedTraces: number;
            /** Format: int64 */
            changedSteps: number;
            /** Format: int64 */
            changedTraces: number;
            /** Format: double */
            costAfter: number;
            /** Format: double */
            costBefore: number;
            cursor: string | null;
            /** Format: int64 */
            traces: number;
            /** Format: int64 */
            unpricedSteps: number;
        };
        RepriceTracesRequest: {
            cursor?: string | null;
            dryRun?: boolean | null;
            /** Format: date-time */
            endDate: string;
            /** Format: date-time */
            startDate: string;
        };
        RepriceTracesResponse: {
            data: components["schemas"]["RepricedTraces"];
        };
        RereadCounts: {
            /** Format: int64 */
            archivedTraces: number;
            /** Format: int64 */
            changedSessions: number;
            /** Format: int64 */
            changedUsers: number;
            cursor: string | null;
            /** Format: int64 */
            redactedTraces: number;
            /** Format: int64 */
            traces: number;
        };
        RereadTracesRequest: {
            cursor?: string | null;
            dryRun?: boolean | null;
            /** Format: date-time */
            endDate: string;
            /** Format: date-time */
            startDate: string;
        };
        RereadTracesResponse: {
            data: components["schemas"]["RereadCounts"];
        };
        RerunEvaluationsRequest: {
            /** Format: uuid */
            definitionId?: string | null;
            errorCause?: components["schemas"]["ErrorCause"][] | null;
            ids?: string[] | null;
            /** Format: uuid */
            runId?: string | null;
            status?: ("COMPLETED" | "FAILED" | "SKIPPED")[] | null;
        };
        RerunEvaluationsResponse: {
            /** Format: int64 */
            archived: number;
            /** Format: int64 */
            count: number;
            /** Format: int64 */
            remaining: number;
        };
        ResendDeliveryResponse: {
            data: components["schemas"]["Delivery"];
        };
        /** @enum {string} */
        ResultStatus: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
        ResultSummary: {
            /** Format: double */
            averageScore: number | null;
            /** Format: int64 */
            errored: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            none: number;
            /** Format: int64 */
            passed: number;
            /** Format: double */
            passRate: number | null;
        };
        ResumeVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        Retention: {
            results: components["schemas"]["RetentionPeriod"] | null;
            traces: components["schemas"]["RetentionPeriod"] | null;
        };
        RetentionPeriod: {
            /** Format: int32 */
            days: number | null;
            /** Format: date-time */
            since: string | null;
        };
        ReviewedCriterion: {
            criterion: string;
            /** Format: uuid */
            definitionId: string;
            examples: components["schemas"]["ReviewExample"][];
            name: string;
            scale: components["schemas"]["ReviewScale"] | null;
            type: components["schemas"]["EvalDefinitionType"];
        };
        ReviewExample: {
            critique: string;
            /** Format: double */
            score: number | null;
            /** Format: uuid */
            traceId: string;
            verdict: boolean;
        };
        ReviewScale: {
            /** Format: double */
            high: number;
            /** Format: double */
            low: number;
            /** Format: double */
            threshold: number;
        };
        RotateWebhookSecretResponse: {
            data: components["schemas"]["Webhook"];
        };
        Run: {
            /** Format: uuid */
            applicationId: string;
            commit: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            experimentVariantId: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
            notes: string | null;
            orgId: string;
            progress: components["schemas"]["RunProgress"] | null;
            result?: components["schemas"]["RunResult"];
            status: components["schemas"]["ResultStatus"];
            summary: components["schemas"]["ResultSummary"] | null;
            title: string | null;
            type: components["schemas"]["RunType"];
            version: string | null;
        };
        RunCompleted: {
            commit: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            experimentVariantId: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            result?: components["schemas"]["TestResult"];
            status: components["schemas"]["ResultStatus"];
            summary: components["schemas"]["ResultSummary"] | null;
            title: string | null;
            type: components["schemas"]["RunType"];
            version: string | null;
        };
        RunCompletedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["RunCompleted"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "run.completed";
        };
        RunProgress: {
            /** Format: int64 */
            completed: number;
            /** Format: int64 */
            total: number;
        };
        RunResult: {
            /** Format: double */
            averageScore: number;
            evals: components["schemas"]["DefinitionResult"][];
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            passed: number;
            /** Format: double */
            passRate: number;
            /** Format: int64 */
            total: number;
        };
        /** @enum {string} */
        RunType: "MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING";
        RunVariantRequest: {
            commit?: string | null;
            name?: string | null;
            notes?: string | null;
            /** Format: int32 */
            repeat?: number | null;
            simulate?: boolean | null;
            version?: string | null;
        };
        RunVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        SendFeedbackRequest: {
            feedback: string;
        };
        SendFeedbackResponse: {
            success: boolean;
        };
        Session: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            errors: number;
            evaluations: components["schemas"]["SessionEvaluations"];
            externalId: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            lastAt: string;
            /** Format: date-time */
            startedAt: string;
            tokens: components["schemas"]["TraceTokens"];
            /** Format: double */
            totalCost: number | null;
            /** Format: int64 */
            totalDurationMs: number;
            /** Format: int64 */
            turns: number;
            /** Format: int64 */
            unpricedSteps: number;
            users: string[];
        };
        SessionEvaluations: {
            /** Format: int64 */
            count: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            passed: number;
        };
        SetDocumentTagsRequest: {
            tagIds: string[];
        };
        SetDocumentTagsResponse: {
            data: components["schemas"]["Tag"][];
        };
        SetTaskTagsRequest: {
            tagIds: string[];
        };
        SetTaskTagsResponse: {
            data: components["schemas"]["Tag"][];
        };
        SetWebhookRequest: {
            headers?: {
                [key: string]: string;
            } | null;
            url: string;
        };
        SetWebhookResponse: {
            data: components["schemas"]["Webhook"];
        };
        Spent: {
            day: components["schemas"]["PeriodSpent"] | null;
            month: components["schemas"]["PeriodSpent"] | null;
            /** Format: double */
            uncertainShare: number;
        };
        Stability: {
            level: components["schemas"]["MetricLevel"];
            /** Format: double */
            stddev?: number;
        };
        StopVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        /** @enum {string} */
        StructuredOutput: "HONORED" | "EMULATED" | "NOT_USABLE";
        StyleGuide: {
            /** Format: uuid */
            applicationId: string;
            content: components["schemas"]["StyleGuideSection"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
        };
        StyleGuideCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["StyleGuide"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "style_guide.created";
        };
        StyleGuideSection: {
            approved: boolean;
            content: string;
            heading: string;
        };
        StyleGuideSectionInput: {
            approved?: boolean | null;
            content: string;
            heading: string;
        };
        SubIssue: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["IssueStatus"];
            title: string;
        };
        TableRows: {
            rows: string[];
            table: string;
        };
        TableRowsInput: {
            rows?: string[] | null;
            table: string;
        };
        Tag: {
            /** Format: uuid */
            applicationId: string;
            color: string;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
            orgId: string;
            status: components["schemas"]["TagStatus"];
        };
        /** @enum {string} */
        TagStatus: "ACTIVE" | "ARCHIVED";
        TagTasksRequest: {
            tagIds: string[];
            taskIds: string[];
        };
        Task: {
            /** Format: uuid */
            applicationId: string;
            breakdown: components["schemas"]["TaskBreakdown"] | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            evalDefinitions: components["schemas"]["TaskEvalDefinition"][];
            examples: components["schemas"]["TaskExample"][];
            /** Format: uuid */
            id: string;
            inputExamples: string[];
            isVerified: boolean;
            /** Format: date-time */
            lastTest: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            modifiedAt: string;
            monitoring: components["schemas"]["Metrics"] | null;
            /** Format: double */
            monitoringPassRate: number | null;
            orgId: string;
            /** Format: uuid */
            parentId: string | null;
            /** Format: double */
            passRate: number | null;
            prompts: string[];
            simulatedPromptSchema: {
                [key: string]: unknown;
            } | null;
            status: components["schemas"]["TaskStatus"];
            synthetic: components["schemas"]["Metrics"] | null;
            taskSchedule: components["schemas"]["TaskSchedule"] | null;
            title: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string | null;
            type: components["schemas"]["TaskType"];
        };
        TaskArchivedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Task"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "task.archived";
        };
        TaskBreakdown: {
            monitoring: components["schemas"]["DefinitionMetrics"][];
            synthetic: components["schemas"]["DefinitionMetrics"][];
        };
        TaskEvalDefinition: {
            config: components["schemas"]["LinkConfig"] | null;
            evalDefinition: components["schemas"]["EvalDefinition"] | null;
        };
        TaskExample: {
            expected?: unknown;
            input: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        TaskExampleInput: {
            expected?: unknown;
            input: string;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @enum {string} */
        TaskImportAction: "CREATE" | "UPDATE" | "UNCHANGED" | "CONFLICT";
        TaskImportColumn: {
            becomes: string;
            name: string;
        };
        TaskImportError: {
            field: string;
            message: string;
            /** Format: int64 */
            row: number;
        };
        /** @enum {string} */
        TaskImportFormat: "CSV" | "JSONL" | "JSON" | "YAML" | "XLSX";
        TaskImportPreview: {
            action: components["schemas"]["TaskImportAction"] | null;
            definitions: string[];
            description: string;
            expected: string[];
            /** Format: uuid */
            id: string | null;
            metadataKeys: string[];
            prompts: string[];
            /** Format: int64 */
            row: number;
            title: string;
        };
        /** @enum {string} */
        TaskImportShape: "TASKS" | "LANGFUSE" | "OPENAI_FINE_TUNING" | "OPENAI_EVALS" | "PROMPTFOO" | "DEEPEVAL" | "RAGAS" | "LANGSMITH" | "BRAINTRUST" | "PHOENIX" | "TABLE" | "MAPPED";
        TaskSchedule: {
            /** Format: uuid */
            applicationId: string;
            /** @enum {string} */
            criticality: "LOW" | "MEDIUM" | "HIGH";
            cron: string;
            /** Format: date-time */
            lastRunAt: string | null;
            /** Format: date-time */
            nextRunAt: string | null;
            /** Format: uuid */
            taskId: string;
            timezone: string;
        };
        TaskSet: {
            /** Format: date-time */
            createdAt: string;
            hash: string;
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            tasks: number;
        };
        TaskSetDefinition: {
            expected?: unknown;
            globalConfig: components["schemas"]["GlobalConfig"] | null;
            /** Format: uuid */
            id: string;
            name: string;
            type: components["schemas"]["EvalDefinitionType"];
            /** Format: int32 */
            version: number;
        };
        TaskSetTask: {
            definitions: components["schemas"]["TaskSetDefinition"][];
            description: string;
            examples: components["schemas"]["TaskExample"][];
            inputExamples: string[];
            metadata: {
                [key: string]: unknown;
            } | null;
            simulatedPromptSchema: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            taskId: string;
            title: string;
            /** Format: uuid */
            topicId: string | null;
            type: components["schemas"]["TaskType"];
        };
        TasksTagged: {
            tagIds: string[];
            taskIds: string[];
        };
        /** @enum {string} */
        TaskStatus: "DEDUCED" | "DRAFT" | "ACTIVE" | "ARCHIVED";
        TaskSummary: {
            /** Format: uuid */
            id: string;
            title: string;
            /** Format: uuid */
            topicId?: string;
        };
        TaskTaggedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["TasksTagged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "task.tagged";
        };
        /** @enum {string} */
        TaskType: "NORMAL" | "STATIC";
        Test: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int32 */
            durationMs: number | null;
            errorCause: components["schemas"]["ErrorCause"] | null;
            evals: components["schemas"]["Evaluation"][];
            /** Format: uuid */
            id: string;
            message: string | null;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            outcome: components["schemas"]["TestOutcome"] | null;
            passed: boolean | null;
            prompt?: unknown;
            result?: components["schemas"]["TestResult"];
            /** Format: uuid */
            runId: string;
            runType: components["schemas"]["RunType"];
            /** Format: double */
            score: number | null;
            scoreOutOfScale: boolean | null;
            status: components["schemas"]["ResultStatus"];
            summary: components["schemas"]["ResultSummary"] | null;
            task: components["schemas"]["TaskSummary"] | null;
            /** Format: uuid */
            taskId: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string | null;
            usage: components["schemas"]["TestUsage"] | null;
            waitingFor: string | null;
        };
        TestCompleted: {
            /** Format: date-time */
            createdAt: string;
            errorCause: components["schemas"]["ErrorCause"] | null;
            evals: components["schemas"]["TestEvaluation"][];
            /** Format: uuid */
            id: string;
            message: string | null;
            outcome: components["schemas"]["TestOutcome"] | null;
            passed: boolean | null;
            /** Format: uuid */
            runId: string;
            runType: components["schemas"]["RunType"];
            /** Format: double */
            score: number | null;
            status: components["schemas"]["ResultStatus"];
            /** Format: uuid */
            taskId: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string | null;
        };
        TestCompletedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["TestCompleted"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "test.completed";
        };
        TestEvaluation: {
            /** Format: uuid */
            definitionId: string;
            definitionType: components["schemas"]["EvalDefinitionType"];
            /** Format: uuid */
            id: string;
            message: string | null;
            passed: boolean | null;
            /** Format: double */
            score: number | null;
            status: components["schemas"]["EvaluationStatus"];
        };
        TestExportSettingsResponse: {
            cause: components["schemas"]["ExportErrorCause"] | null;
            error: string | null;
            failedStep: components["schemas"]["ExportTestStep"] | null;
            /** Format: int32 */
            latencyMs: number;
            ok: boolean;
        };
        TestIngestSettingsRequest: {
            redactions?: components["schemas"]["NewRedaction"][] | null;
            text: string;
        };
        TestIngestSettingsResponse: {
            text: string;
        };
        TestModelConnectionResponse: {
            authenticated: boolean | null;
            error: string | null;
            /** Format: int32 */
            latencyMs: number;
            model: string;
            modelExists: boolean | null;
            ok: boolean;
            priceKnown: boolean;
            problems: components["schemas"]["ModelConnectionProblem"][];
            reachable: boolean;
            structuredOutput: components["schemas"]["StructuredOutput"] | null;
            usageReported: boolean | null;
        };
        /** @enum {string} */
        TestOutcome: "PASSED" | "FAILED" | "ERRORED" | "NONE";
        TestResult: {
            /** Format: double */
            averageScore: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            passed: number;
            /** Format: double */
            passRate: number;
            /** Format: int64 */
            total: number;
        };
        TestTracePathsRequest: {
            answer?: string | null;
            context?: string | null;
            question?: string | null;
            session?: string | null;
            user?: string | null;
        };
        TestTracePathsResponse: {
            data: components["schemas"]["TracePathResults"];
        };
        TestUsage: {
            /** Format: int64 */
            cachedInputTokens: number;
            /** Format: int64 */
            cacheWriteTokens: number;
            /** Format: double */
            cost: number | null;
            /** Format: int64 */
            inputTokens: number;
            /** Format: int64 */
            outputTokens: number;
            /** Format: int64 */
            reasoningTokens: number;
            /** Format: int64 */
            unpricedSteps: number;
        };
        TestWebhookResponse: {
            error: string | null;
            /** Format: int32 */
            statusCode: number | null;
            success: boolean;
        };
        Topic: {
            /** Format: uuid */
            applicationId: string;
            assignedTo: string | null;
            assignedUser: components["schemas"]["UserReference"] | null;
            /** Format: double */
            baseline: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            documentCount: number;
            evalDefinitions: components["schemas"]["TopicEvalDefinition"][];
            /** Format: uuid */
            id: string;
            isDocumentsVerified: boolean;
            isInScope: boolean;
            isKnowledgeBaseVerified: boolean;
            isPoliciesVerified: boolean;
            isTasksVerified: boolean;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            status: components["schemas"]["TopicStatus"];
            /** Format: int64 */
            taskCount: number;
            title: string;
        };
        TopicArchivedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Topic"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "topic.archived";
        };
        TopicCreatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["Topic"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "topic.created";
        };
        TopicEvalDefinition: {
            config: components["schemas"]["LinkConfig"] | null;
            evalDefinition: components["schemas"]["EvalDefinition"] | null;
            /** Format: uuid */
            topicId: string;
        };
        /** @enum {string} */
        TopicStatus: "DRAFT" | "ACTIVE" | "ARCHIVED";
        Trace: {
            answer: string | null;
            /** Format: uuid */
            applicationId: string;
            attachments: components["schemas"]["TraceAttachment"][];
            continuedBy: string | null;
            continues: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            durationUs: number;
            environment: string | null;
            evals: {
                [key: string]: unknown;
            }[];
            event: string | null;
            externalEvaluations: components["schemas"]["ExternalEvaluation"][];
            feedback: components["schemas"]["TraceFeedback"][];
            hasError: boolean;
            /** Format: uuid */
            id: string;
            metadata?: unknown;
            /** Format: date-time */
            modifiedAt: string;
            question: string | null;
            referenceId: string | null;
            /** Format: int64 */
            replacedCharacters: number;
            service: string | null;
            session: string | null;
            /** Format: uuid */
            sessionId: string | null;
            /** Format: int64 */
            stepCount: number;
            steps: components["schemas"]["TraceStep"][];
            /** Format: uuid */
            testId: string | null;
            /** Format: date-time */
            timestamp: string;
            tokens: components["schemas"]["TraceTokens"];
            /** Format: int64 */
            totalCompletionTokens: number;
            /** Format: double */
            totalCost: number | null;
            /** Format: int64 */
            totalDurationMs: number;
            /** Format: int64 */
            totalPromptTokens: number;
            /** Format: uuid */
            traceId: string;
            type: string;
            /** Format: int64 */
            unpricedSteps: number;
            user: string | null;
            version: string | null;
        };
        /** @enum {string} */
        TraceAnswer: "NONE" | "NOTE" | "EXPECTED";
        TraceAttachment: {
            /** Format: int64 */
            bytes: number;
            hash: string;
            mediaType: string;
        };
        TraceDeletion: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            deleted: components["schemas"]["ErasureCounts"];
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            status: components["schemas"]["ErasureStatus"];
            /** Format: int64 */
            traces: number;
        };
        TraceFeedback: {
            comment: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: double */
            score: number | null;
            source: components["schemas"]["FeedbackSource"];
            thumb: components["schemas"]["FeedbackThumb"] | null;
            /** Format: uuid */
            traceId: string;
            user: string | null;
        };
        TracePathResult: {
            path: string;
            reason: string | null;
            /** Format: uuid */
            stepId: string | null;
            values: string[];
        };
        TracePathResults: {
            answer: components["schemas"]["TracePathResult"] | null;
            context: components["schemas"]["TracePathResult"] | null;
            question: components["schemas"]["TracePathResult"] | null;
            session: components["schemas"]["TracePathResult"] | null;
            user: components["schemas"]["TracePathResult"] | null;
        };
        TraceStep: {
            content?: string;
            /** Format: double */
            costAmount?: number;
            /** Format: int64 */
            durationMs?: number;
            /** Format: int64 */
            durationUs?: number;
            /** Format: date-time */
            endTime?: string;
            error?: string;
            evaluationExplanation?: string;
            evaluationLabel?: string;
            /** Format: double */
            evaluationScore?: number;
            evaluatorName?: string;
            event?: string;
            finishReason?: string;
            group?: string;
            guardrailAction?: string;
            guardrailTriggered?: boolean;
            guardrailType?: string;
            id: string;
            input?: string;
            key?: string;
            metadata?: unknown;
            modelId?: string;
            name?: string;
            output?: string;
            params?: unknown;
            parentId?: string;
            query?: string;
            /** Format: int64 */
            replacedCharacters?: number;
            result?: string;
            status: string;
            statusCode?: string;
            /** Format: date-time */
            timestamp: string;
            toolCallId?: string;
            toolInput?: string;
            toolOutput?: string;
            /** Format: uuid */
            traceId: string;
            type: string;
            usage?: components["schemas"]["TraceUsage"];
        };
        TraceToAnnotate: {
            /** Format: uuid */
            taskId: string;
            /** Format: uuid */
            testId: string;
            /** Format: uuid */
            topicId: string | null;
            /** Format: uuid */
            traceId: string;
        };
        TraceTokens: {
            /** Format: int64 */
            cachedInput: number;
            /** Format: int64 */
            cacheWrite: number;
            /** Format: int64 */
            input: number;
            /** Format: int64 */
            output: number;
            /** Format: int64 */
            reasoning: number;
        };
        TraceUsage: {
            /** Format: int64 */
            cachedTokens: number;
            /** Format: int64 */
            cacheWriteTokens: number;
            /** Format: int64 */
            completionTokens: number;
            /** Format: int64 */
            promptTokens: number;
            /** Format: int64 */
            reasoningTokens: number;
        };
        TriggerDocumentTestRequest: {
            /** Format: uuid */
            quickstartId?: string | null;
            type: components["schemas"]["DocumentTestType"];
        };
        TriggerDocumentTestResponse: {
            data: components["schemas"]["DocumentTest"];
        };
        TriggerTasksRequest: {
            commit?: string | null;
            definitionIds?: string[] | null;
            name?: string | null;
            notes?: string | null;
            /** Format: int32 */
            repeat?: number | null;
            simulate?: boolean | null;
            taskIds: string[];
            version?: string | null;
        };
        TryDefinitionRequest: {
            answer?: string | null;
            context?: string[] | null;
            expected?: string | string[] | null;
            globalConfig?: components["schemas"]["GlobalConfigInput"] | null;
            question?: string | null;
            /** Format: uuid */
            styleGuideId?: string | null;
            traceId?: string | null;
            type: components["schemas"]["EvalDefinitionType"];
        };
        TryDefinitionResponse: {
            data: components["schemas"]["DefinitionTrial"];
        };
        UnlinkApplicationRequest: {
            evalIds: string[];
        };
        UnlinkTasksRequest: {
            evalIds: string[];
            taskIds: string[];
        };
        UnlinkTopicsRequest: {
            evalIds: string[];
            topicIds: string[];
        };
        UnreliableDefinition: {
            /** Format: uuid */
            id: string;
            /** Format: double */
            kappa: number;
            name: string;
            /** Format: int64 */
            rows: number;
        };
        UntagTasksRequest: {
            tagIds: string[];
            taskIds: string[];
        };
        UpdateAnnotationRequest: {
            /** Format: date-time */
            createdAt?: string | null;
            description?: string | null;
            title?: string | null;
            /** Format: uuid */
            traceStepId?: string | null;
        };
        UpdateAnnotationResponse: {
            data: components["schemas"]["Annotation"];
        };
        UpdateContradictionRequest: {
            assignedTo?: string | null;
            resolved?: boolean | null;
        };
        UpdateContradictionResponse: {
            data: components["schemas"]["Contradiction"];
        };
        UpdateDefinitionRequest: {
            globalConfig?: components["schemas"]["GlobalConfigInput"] | null;
            name?: string | null;
            /** Format: uuid */
            styleGuideId?: string | null;
        };
        UpdateDefinitionResponse: {
            data: components["schemas"]["EvalDefinition"];
        };
        UpdateDocumentStatusRequest: {
            documentIds: string[];
            status: components["schemas"]["DocumentStatus"];
        };
        UpdateDocumentStatusResponse: {
            failed: components["schemas"]["FailedDocument"][];
            success: string[];
        };
        UpdateDocumentVersionRequest: {
            content?: string | null;
            language?: string | null;
            metadata?: Record<string, never> | null;
            originalSentences?: unknown[] | null;
            status?: components["schemas"]["DocumentStatus"] | null;
            title?: string | null;
        };
        UpdateDocumentVersionResponse: {
            document: components["schemas"]["DocumentBase"];
            version: components["schemas"]["DocumentVersion"];
        };
        UpdateEvaluationSettingsRequest: {
            budgets?: components["schemas"]["BudgetsInput"] | null;
            /** Format: uuid */
            defaultConnectionId?: string | null;
            /** Format: double */
            kappaFloor?: number | null;
            monitoring?: components["schemas"]["MonitoringInput"] | null;
            /** Format: int32 */
            testTimeoutMs?: number | null;
            /**
             * Format: int32
             * @enum {integer|null}
             */
            votes?: 1 | 3 | 5 | 7 | 9 | null;
        };
        UpdateEvaluationSettingsResponse: {
            data: components["schemas"]["EvaluationSettings"];
        };
        UpdateExperimentRequest: {
            assignee?: string | null;
            description?: string | null;
            inferenceStepIds?: string[] | null;
            status?: components["schemas"]["ExperimentStatus"] | null;
            taskIds?: string[] | null;
            title?: string | null;
        };
        UpdateExperimentResponse: {
            data: components["schemas"]["Experiment"];
        };
        UpdateExportSettingsRequest: {
            accessKeyId: string;
            bucket: string;
            datasets: components["schemas"]["ExportDataset"][];
            enabled?: boolean | null;
            endpoint: string;
            format?: components["schemas"]["ExportFormat"] | null;
            interval?: components["schemas"]["ExportInterval"] | null;
            pathStyle?: boolean | null;
            prefix?: string | null;
            region?: string | null;
            secretAccessKey?: string | null;
        };
        UpdateExportSettingsResponse: {
            data: components["schemas"]["ExportSettings"];
        };
        UpdateFactRequest: {
            isVerified?: boolean | null;
            scope?: components["schemas"]["FactScope"] | null;
            /** Format: uuid */
            sourceDocumentId?: string | null;
            sourceQuote?: string | null;
            statement?: string | null;
            status?: components["schemas"]["FactStatus"] | null;
            topicIds?: string[] | null;
        };
        UpdateFactResponse: {
            data: components["schemas"]["Fact"];
        };
        UpdateHumanAnnotationQueueRequest: {
            assigneeId: string;
        };
        UpdateHumanAnnotationQueueResponse: {
            data: components["schemas"]["HumanAnnotationQueue"];
        };
        UpdateHumanAnnotationRequest: {
            critique?: string | null;
            score?: number | null;
            verdict?: boolean | null;
        };
        UpdateHumanAnnotationResponse: {
            data: components["schemas"]["HumanAnnotation"];
        };
        UpdateIngestSettingsRequest: {
            answer?: string | null;
            context?: string | null;
            noise?: components["schemas"]["NoiseRuleInput"][] | null;
            question?: string | null;
            redactions: components["schemas"]["NewRedaction"][];
            session?: string | null;
            user?: string | null;
        };
        UpdateIngestSettingsResponse: {
            data: components["schemas"]["IngestSettings"];
        };
        UpdateIssueRequest: {
            /** Format: uuid */
            annotationId?: string | null;
            assignedTo?: string | null;
            comment?: string | null;
            description?: string | null;
            /** Format: uuid */
            evalDefinitionId?: string | null;
            impact?: string | null;
            /** Format: uuid */
            parentId?: string | null;
            priority?: components["schemas"]["IssuePriority"] | null;
            status?: components["schemas"]["IssueStatus"] | null;
            summary?: string | null;
            /** Format: uuid */
            taskId?: string | null;
            /** Format: uuid */
            testId?: string | null;
            title?: string | null;
            /** Format: uuid */
            topicId?: string | null;
            /** Format: uuid */
            traceId?: string | null;
            type?: components["schemas"]["IssueType"] | null;
        };
        UpdateIssueResponse: {
            data: components["schemas"]["IssueOutput"];
        };
        UpdateIssuesRequest: {
            assignedTo?: string | null;
            comment?: string | null;
            issueIds: string[];
            priority?: components["schemas"]["IssuePriority"] | null;
            status?: components["schemas"]["IssueStatus"] | null;
            /** Format: uuid */
            topicId?: string | null;
            type?: components["schemas"]["IssueType"] | null;
        };
        UpdateIssuesResponse: {
            data: components["schemas"]["IssueOutput"][];
        };
        UpdateMemberRequest: {
            role: components["schemas"]["MemberRole"];
        };
        UpdateMemberResponse: {
            data: components["schemas"]["Member"];
        };
        UpdateModelConnectionRequest: {
            apiKey?: string | null;
            baseUrl?: string | null;
            default?: boolean | null;
            limits?: components["schemas"]["ModelLimitsInput"] | null;
            model: string;
            name: string;
            prices?: components["schemas"]["ModelPricesInput"] | null;
            /** @enum {string} */
            provider: "openai" | "anthropic" | "openai-compatible";
        };
        UpdateModelConnectionResponse: {
            data: components["schemas"]["ModelConnection"];
        };
        UpdateModelPricesRequest: {
            prices: components["schemas"]["ModelPriceInput"][];
        };
        UpdateModelPricesResponse: {
            data: components["schemas"]["ModelPriceList"];
        };
        UpdateRunRequest: {
            commit?: string | null;
            name?: string | null;
            notes?: string | null;
            version?: string | null;
        };
        UpdateRunResponse: {
            run: components["schemas"]["Run"];
        };
        UpdateStyleGuideRequest: {
            content: components["schemas"]["StyleGuideSectionInput"][];
        };
        UpdateStyleGuideResponse: {
            data: components["schemas"]["StyleGuide"];
        };
        UpdateTagRequest: {
            color?: string | null;
            description?: string | null;
            name?: string | null;
        };
        UpdateTagResponse: {
            data: components["schemas"]["Tag"];
        };
        UpdateTaskRequest: {
            deleteEmptySourceTopic?: boolean | null;
            description?: string | null;
            examples?: components["schemas"]["TaskExampleInput"][] | null;
            inputExamples?: string[] | null;
            isVerified?: boolean | null;
            metadata?: Record<string, never> | null;
            prompts?: string[] | null;
            simulatedPromptSchema?: Record<string, never> | null;
            /** @enum {string|null} */
            status?: "DRAFT" | "ACTIVE" | null;
            title?: string | null;
            /** Format: uuid */
            topicId?: string | null;
        };
        UpdateTaskResponse: {
            task: components["schemas"]["Task"];
        };
        UpdateTopicRequest: {
            assignedTo?: string | null;
            baseline?: number | null;
            isDocumentsVerified?: boolean | null;
            isInScope?: boolean | null;
            isKnowledgeBaseVerified?: boolean | null;
            isPoliciesVerified?: boolean | null;
            isTasksVerified?: boolean | null;
            /** @enum {string|null} */
            status?: "DRAFT" | "ACTIVE" | null;
            title?: string | null;
        };
        UpdateTopicResponse: {
            data: components["schemas"]["Topic"];
        };
        UpdateTopicsRequest: {
            assignedTo?: string | null;
            baseline?: number | null;
            isDocumentsVerified?: boolean | null;
            isInScope?: boolean | null;
            isKnowledgeBaseVerified?: boolean | null;
            isPoliciesVerified?: boolean | null;
            isTasksVerified?: boolean | null;
            /** @enum {string|null} */
            status?: "DRAFT" | "ACTIVE" | null;
            title?: string | null;
            topicIds: string[];
        };
        UpdateTopicsResponse: {
            /** Format: int64 */
            count: number;
        };
        UpdateVariantRequest: {
            configPatch?: {
                [key: string]: unknown;
            } | null;
            description?: string | null;
            status?: components["schemas"]["VariantStatus"] | null;
            title?: string | null;
        };
        UpdateVariantResponse: {
            data: components["schemas"]["ExperimentVariant"];
        };
        UploadDocumentsResponse: {
            data: components["schemas"]["Document"][];
            /** Format: uuid */
            fileProcessingId: string;
            files: components["schemas"]["UploadedFile"][];
            /** Format: int64 */
            replacedCharacters: number;
        };
        UploadedFile: {
            /** Format: int32 */
            documents: number;
            encoding: string | null;
            name: string;
        };
        User: {
            /** Format: date-time */
            createdAt: string;
            email: string | null;
            id: string;
            image: string | null;
            /** Format: date-time */
            modifiedAt: string;
            name: string;
        };
        UserReference: {
            email: string;
            id: string;
            image: string | null;
            name: string;
        };
        ValidateWebhookRequest: {
            body: unknown;
            signature: string;
            timestamp?: string | number | null;
        } & {
            [key: string]: unknown;
        };
        ValidateWebhookResponse: {
            valid: boolean;
        };
        ValidationError: {
            issues: components["schemas"]["Issue"][];
            issuesOmitted?: number;
            message: string;
        };
        /** @enum {string} */
        VariantStatus: "DRAFT" | "RUNNING" | "COMPLETED" | "FAILED" | "REJECTED";
        Visualization: {
            compatibleCharts: string[];
            fieldMapping: components["schemas"]["FieldMapping"];
            recommendedChart: string;
        };
        Webhook: {
            /** Format: uuid */
            applicationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            disabledReason: string | null;
            headers: {
                [key: string]: string;
            };
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            orgId: string;
            url: string;
            webhookSecret: string;
        };
        WebhookChanged: {
            /** Format: date-time */
            disabledAt: string | null;
            headerNames: string[];
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            modifiedAt: string;
            url: string;
        };
        WebhookTest: {
            /** Format: uuid */
            webhookId: string;
        };
        WebhookTestEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["WebhookTest"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "webhook.test";
        };
        WebhookUpdatedEvent: {
            /** Format: uuid */
            applicationId: string;
            data: components["schemas"]["WebhookChanged"];
            /** Format: uuid */
            id: string;
            orgId: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            type: "webhook.updated";
        };
    };
    responses: never;
    parameters: {
        IdempotencyKey: string;
        IfMatch: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    exportTracesApiPublicOtelV1Traces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    listAnnotations: {
        parameters: {
            query?: {
                after?: string;
                endDate?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                startDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAnnotationsResponse"];
                };
            };
        };
    };
    createAnnotation: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAnnotationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAnnotationResponse"];
                };
            };
        };
    };
    getAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnnotationResponse"];
                };
            };
        };
    };
    updateAnnotation: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAnnotationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateAnnotationResponse"];
                };
            };
        };
    };
    deleteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "name" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResponse"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyResponse"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAppConfig: {
        parameters: {
            query?: {
                applicationSlug?: string;
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAppConfigResponse"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: {
                after?: string;
                environment?: components["schemas"]["ApplicationEnvironment"][];
                humanAnnotationEnabled?: boolean;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "slug" | "type" | "environment" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                slug?: string;
                type?: components["schemas"]["ApplicationType"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApplicationsResponse"];
                };
            };
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApplicationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApplicationResponse"];
                };
            };
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetApplicationResponse"];
                };
            };
        };
    };
    getApplicationBySlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetApplicationBySlugResponse"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                action?: components["schemas"]["AuditAction"][];
                after?: string;
                endDate?: string;
                entityId?: string;
                keyId?: string;
                limit?: number;
                orderBy?: "createdAt" | "id";
                orderDir?: "asc" | "desc";
                requestId?: string;
                resource?: string[];
                skip?: number;
                startDate?: string;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditLogResponse"];
                };
            };
        };
    };
    listDefinitions: {
        parameters: {
            query?: {
                after?: string;
                definitionStatus?: components["schemas"]["EvalDefinitionStatus"];
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "name" | "type" | "id";
                orderDir?: "asc" | "desc";
                quickstartId?: string[];
                scopeType?: "topic" | "application";
                search?: string;
                skip?: number;
                status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED")[];
                styleGuideId?: string[];
                taskId?: string[];
                topicId?: string[];
                traceId?: string[];
                type?: components["schemas"]["EvalDefinitionType"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDefinitionsResponse"];
                };
            };
        };
    };
    createDefinition: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDefinitionRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDefinitionResponse"];
                };
            };
        };
    };
    getDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDefinitionResponse"];
                };
            };
        };
    };
    updateDefinition: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDefinitionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateDefinitionResponse"];
                };
            };
        };
    };
    getCalibration: {
        parameters: {
            query?: {
                endDate?: string;
                kappaFloor?: number;
                nextLimit?: number;
                startDate?: string;
                topicId?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCalibrationResponse"];
                };
            };
        };
    };
    queueCalibrationTraces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueueCalibrationTracesRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueCalibrationTracesResponse"];
                };
            };
        };
    };
    linkTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkTasksRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkApplication: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkApplicationRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkTopics: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkTopicsRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    tryDefinition: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryDefinitionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryDefinitionResponse"];
                };
            };
        };
    };
    unlinkTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlinkTasksRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unlinkApplication: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlinkApplicationRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unlinkTopics: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlinkTopicsRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                after?: string;
                assignee?: string;
                documentStatus?: components["schemas"]["LibraryStatus"];
                endDate?: string;
                fileProcessingId?: string[];
                limit?: number;
                metadataStep?: string;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "type" | "assignee" | "id";
                orderDir?: "asc" | "desc";
                quickstartId?: string;
                scrapeJobId?: string[];
                search?: string;
                skip?: number;
                startDate?: string;
                status?: components["schemas"]["DocumentStatus"][];
                tagId?: string[];
                topicId?: string;
                type?: components["schemas"]["DocumentType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDocumentsResponse"];
                };
            };
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDocumentResponse"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDocumentResponse"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDocumentTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDocumentTagsResponse"];
                };
            };
        };
    };
    setDocumentTags: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetDocumentTagsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetDocumentTagsResponse"];
                };
            };
        };
    };
    listDocumentVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDocumentVersionsResponse"];
                };
            };
        };
    };
    createDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDocumentVersionRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDocumentVersionResponse"];
                };
            };
        };
    };
    getDocumentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                versionNumber: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDocumentVersionResponse"];
                };
            };
        };
    };
    updateDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                versionNumber: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentVersionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateDocumentVersionResponse"];
                };
            };
        };
    };
    activateDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                versionNumber: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateDocumentVersionResponse"];
                };
            };
        };
    };
    activateDocumentVersionByPost: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                versionNumber: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateDocumentVersionResponse"];
                };
            };
        };
    };
    listDocumentChunks: {
        parameters: {
            query?: {
                documentId?: string;
                limit?: number;
                skip?: number;
                status?: components["schemas"]["DocumentStatus"][];
                versionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDocumentChunksResponse"];
                };
            };
        };
    };
    updateDocumentStatus: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentStatusRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateDocumentStatusResponse"];
                };
            };
        };
    };
    listDocumentTests: {
        parameters: {
            query?: {
                after?: string;
                end?: string;
                endDate?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "type" | "status" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                start?: string;
                startDate?: string;
                status?: components["schemas"]["DocumentTestStatus"][];
                type?: components["schemas"]["DocumentTestType"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDocumentTestsResponse"];
                };
            };
        };
    };
    getDocumentTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDocumentTestResponse"];
                };
            };
        };
    };
    triggerDocumentTest: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerDocumentTestRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerDocumentTestResponse"];
                };
            };
        };
    };
    uploadDocuments: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    documentType?: components["schemas"]["DocumentType"];
                    /** Format: binary */
                    file: string;
                    fileName?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uuid */
                    quickstartId?: string;
                    /** Format: uuid */
                    topicId?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadDocumentsResponse"];
                };
            };
        };
    };
    listErasures: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListErasuresResponse"];
                };
            };
        };
    };
    createErasure: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateErasureRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateErasureResponse"];
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetErasureResponse"];
                };
            };
        };
    };
    listEvaluations: {
        parameters: {
            query?: {
                after?: string;
                definitionId?: string[];
                endDate?: string;
                includeReplaced?: boolean;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "status" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                startDate?: string;
                status?: components["schemas"]["EvaluationStatus"][];
                store?: "archive";
                testId?: string[];
                traceId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEvaluationsResponse"];
                };
            };
        };
    };
    getEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEvaluationResponse"];
                };
            };
        };
    };
    rerunEvaluations: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RerunEvaluationsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RerunEvaluationsResponse"];
                };
            };
        };
    };
    getEvaluationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEvaluationSettingsResponse"];
                };
            };
        };
    };
    updateEvaluationSettings: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateEvaluationSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateEvaluationSettingsResponse"];
                };
            };
        };
    };
    listExperiments: {
        parameters: {
            query?: {
                after?: string;
                assignee?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "id";
                orderDir?: "asc" | "desc";
                search?: string;
                skip?: number;
                status?: components["schemas"]["ExperimentStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListExperimentsResponse"];
                };
            };
        };
    };
    createExperiment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateExperimentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateExperimentResponse"];
                };
            };
        };
    };
    getExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExperimentResponse"];
                };
            };
        };
    };
    updateExperiment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateExperimentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateExperimentResponse"];
                };
            };
        };
    };
    compareVariants: {
        parameters: {
            query: {
                baseline?: string;
                detect?: number;
                variant: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareVariantsResponse"];
                };
            };
        };
    };
    getExperimentTaskSet: {
        parameters: {
            query?: {
                limit?: number;
                skip?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExperimentTaskSetResponse"];
                };
            };
        };
    };
    listVariants: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                status?: components["schemas"]["VariantStatus"][];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListVariantsResponse"];
                };
            };
        };
    };
    createVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVariantRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateVariantResponse"];
                };
            };
        };
    };
    getVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetVariantResponse"];
                };
            };
        };
    };
    updateVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateVariantRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateVariantResponse"];
                };
            };
        };
    };
    promoteVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoteVariantResponse"];
                };
            };
        };
    };
    rejectVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectVariantResponse"];
                };
            };
        };
    };
    resumeVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeVariantResponse"];
                };
            };
        };
    };
    runVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunVariantRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunVariantResponse"];
                };
            };
        };
    };
    stopVariant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopVariantResponse"];
                };
            };
        };
    };
    getExportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExportSettingsResponse"];
                };
            };
        };
    };
    updateExportSettings: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateExportSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateExportSettingsResponse"];
                };
            };
        };
    };
    deleteExportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    testExportSettings: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestExportSettingsResponse"];
                };
            };
        };
    };
    listFacts: {
        parameters: {
            query?: {
                after?: string;
                includeTopics?: boolean;
                isVerified?: boolean;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "statement" | "scope" | "status" | "id";
                orderDir?: "asc" | "desc";
                quickstartId?: string;
                scope?: components["schemas"]["FactScope"][];
                skip?: number;
                sourceDocumentId?: string;
                status?: components["schemas"]["FactStatus"][];
                topicId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFactsResponse"];
                };
            };
        };
    };
    createFact: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFactRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateFactResponse"];
                };
            };
        };
    };
    getFact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetFactResponse"];
                };
            };
        };
    };
    updateFact: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateFactRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateFactResponse"];
                };
            };
        };
    };
    createFacts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFactsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateFactsResponse"];
                };
            };
        };
    };
    sendFeedback: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendFeedbackRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendFeedbackResponse"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHealthResponse"];
                };
            };
        };
    };
    listHumanAnnotationQueueItems: {
        parameters: {
            query?: {
                after?: string;
                completion?: components["schemas"]["QueueItemCompletion"];
                limit?: number;
                orderBy?: "createdAt" | "expiresAt" | "id";
                orderDir?: "asc" | "desc";
                queueId?: string[];
                skip?: number;
                traceId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHumanAnnotationQueueItemsResponse"];
                };
            };
        };
    };
    listHumanAnnotationQueues: {
        parameters: {
            query?: {
                after?: string;
                assignedToCurrentUser?: boolean;
                definitionId?: string[];
                limit?: number;
                orderBy?: "createdAt" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                topicId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHumanAnnotationQueuesResponse"];
                };
            };
        };
    };
    createHumanAnnotationQueue: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHumanAnnotationQueueRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateHumanAnnotationQueueResponse"];
                };
            };
        };
    };
    getHumanAnnotationQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHumanAnnotationQueueResponse"];
                };
            };
        };
    };
    updateHumanAnnotationQueue: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateHumanAnnotationQueueRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateHumanAnnotationQueueResponse"];
                };
            };
        };
    };
    deleteHumanAnnotationQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    addHumanAnnotationQueueItems: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddHumanAnnotationQueueItemsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddHumanAnnotationQueueItemsResponse"];
                };
            };
        };
    };
    listHumanAnnotations: {
        parameters: {
            query?: {
                after?: string;
                annotatorId?: string[];
                definitionId?: string[];
                endDate?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "verdict" | "id";
                orderDir?: "asc" | "desc";
                passId?: string[];
                queueItemId?: string[];
                skip?: number;
                source?: components["schemas"]["HumanAnnotationSource"][];
                startDate?: string;
                traceId?: string[];
                verdict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHumanAnnotationsResponse"];
                };
            };
        };
    };
    createHumanAnnotation: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHumanAnnotationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateHumanAnnotationResponse"];
                };
            };
        };
    };
    getHumanAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHumanAnnotationResponse"];
                };
            };
        };
    };
    updateHumanAnnotation: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateHumanAnnotationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateHumanAnnotationResponse"];
                };
            };
        };
    };
    listInferenceSteps: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "type" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInferenceStepsResponse"];
                };
            };
        };
    };
    createInferenceStep: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInferenceStepRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateInferenceStepResponse"];
                };
            };
        };
    };
    ingestEvents: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestEventsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestEventsResponse"];
                };
            };
        };
    };
    getIngestSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetIngestSettingsResponse"];
                };
            };
        };
    };
    updateIngestSettings: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateIngestSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateIngestSettingsResponse"];
                };
            };
        };
    };
    rereadTraces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RereadTracesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RereadTracesResponse"];
                };
            };
        };
    };
    testIngestSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestIngestSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestIngestSettingsResponse"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "expiresAt" | "email" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvitationsResponse"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateInvitationResponse"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listIssues: {
        parameters: {
            query?: {
                after?: string;
                assignedTo?: string;
                evalDefinitionId?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "priority" | "source" | "type" | "id";
                orderDir?: "asc" | "desc";
                parentId?: string;
                priority?: components["schemas"]["IssuePriority"][];
                skip?: number;
                source?: components["schemas"]["IssueSource"][];
                status?: components["schemas"]["IssueStatus"][];
                taskId?: string;
                testId?: string;
                topicId?: string;
                traceId?: string;
                type?: components["schemas"]["IssueType"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListIssuesResponse"];
                };
            };
        };
    };
    createIssue: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIssueRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateIssues: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateIssuesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateIssuesResponse"];
                };
            };
        };
    };
    getIssue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetIssueResponse"];
                };
            };
        };
    };
    updateIssue: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateIssueRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateIssueResponse"];
                };
            };
        };
    };
    acceptSuggestedTask: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptSuggestedTaskRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptSuggestedTaskResponse"];
                };
            };
        };
    };
    listMinimalIssues: {
        parameters: {
            query?: {
                after?: string;
                assignedTo?: string;
                evalDefinitionId?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "priority" | "source" | "type" | "id";
                orderDir?: "asc" | "desc";
                parentId?: string;
                priority?: components["schemas"]["IssuePriority"][];
                skip?: number;
                source?: components["schemas"]["IssueSource"][];
                status?: components["schemas"]["IssueStatus"][];
                taskId?: string;
                testId?: string;
                topicId?: string;
                traceId?: string;
                type?: components["schemas"]["IssueType"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMinimalIssuesResponse"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMembersResponse"];
                };
            };
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMemberResponse"];
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateMemberResponse"];
                };
            };
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listModelConnections: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelConnectionsResponse"];
                };
            };
        };
    };
    createModelConnection: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateModelConnectionRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateModelConnectionResponse"];
                };
            };
        };
    };
    getModelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetModelConnectionResponse"];
                };
            };
        };
    };
    updateModelConnection: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateModelConnectionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateModelConnectionResponse"];
                };
            };
        };
    };
    deleteModelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    testModelConnection: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestModelConnectionResponse"];
                };
            };
        };
    };
    getModelPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetModelPricesResponse"];
                };
            };
        };
    };
    updateModelPrices: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateModelPricesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateModelPricesResponse"];
                };
            };
        };
    };
    repriceTraces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepriceTracesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepriceTracesResponse"];
                };
            };
        };
    };
    exportLogs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportTraces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportLogsV0OtelV1Logs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportMetricsV0OtelV1Metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportTracesV0OtelV1Traces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    listQuickstarts: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuickstartsResponse"];
                };
            };
        };
    };
    createQuickstart: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateQuickstartRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateQuickstartResponse"];
                };
            };
        };
    };
    getQuickstart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetQuickstartResponse"];
                };
            };
        };
    };
    listAssignments: {
        parameters: {
            query?: {
                after?: string;
                assignedTo?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "stage" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                stage?: components["schemas"]["AssignmentStage"][];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAssignmentsResponse"];
                };
            };
        };
    };
    reassignAssignments: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReassignAssignmentsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReassignAssignmentsResponse"];
                };
            };
        };
    };
    createAssignments: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAssignmentsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAssignmentsResponse"];
                };
            };
        };
    };
    listContradictions: {
        parameters: {
            query?: {
                after?: string;
                assignedTo?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "resolved" | "id";
                orderDir?: "asc" | "desc";
                resolved?: boolean;
                skip?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListContradictionsResponse"];
                };
            };
        };
    };
    createContradictions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContradictionsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateContradictionsResponse"];
                };
            };
        };
    };
    getContradiction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contradictionId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetContradictionResponse"];
                };
            };
        };
    };
    updateContradiction: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                contradictionId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateContradictionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateContradictionResponse"];
                };
            };
        };
    };
    getDatasourceColumns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: "task" | "test" | "eval" | "trace" | "step" | "session" | "human_annotation" | "feedback" | "topic" | "tag";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDatasourceColumnsResponse"];
                };
            };
        };
    };
    queryDatasourceColumns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: "task" | "test" | "eval" | "trace" | "step" | "session" | "human_annotation" | "feedback" | "topic" | "tag";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryDatasourceColumnsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryDatasourceColumnsResponse"];
                };
            };
        };
    };
    queryReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryReportRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryReportResponse"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                after?: string;
                endDate?: string;
                evalDefinitionId?: string[];
                experimentVariantId?: string[];
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "type" | "status" | "id" | "name";
                orderDir?: "asc" | "desc";
                runType?: components["schemas"]["RunType"][];
                search?: string;
                skip?: number;
                startDate?: string;
                status?: components["schemas"]["ResultStatus"][];
                taskId?: string[];
                version?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRunResponse"];
                };
            };
        };
    };
    updateRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateRunRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateRunResponse"];
                };
            };
        };
    };
    listResults: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                store?: "archive";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListResultsResponse"];
                };
            };
        };
    };
    compareRuns: {
        parameters: {
            query: {
                a: string;
                b: string;
                detect?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareRunsResponse"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                after?: string;
                endDate?: string;
                externalId?: string;
                hasError?: boolean;
                limit?: number;
                orderBy?: "createdAt" | "lastAt";
                orderDir?: "asc" | "desc";
                search?: string;
                skip?: number;
                startDate?: string;
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResponse"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                limit?: number;
                skip?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSessionResponse"];
                };
            };
        };
    };
    listStyleGuides: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "id";
                orderDir?: "asc" | "desc";
                quickstartId?: string;
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListStyleGuidesResponse"];
                };
            };
        };
    };
    createStyleGuide: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStyleGuideRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateStyleGuideResponse"];
                };
            };
        };
    };
    getStyleGuide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStyleGuideResponse"];
                };
            };
        };
    };
    updateStyleGuide: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateStyleGuideRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateStyleGuideResponse"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "name" | "status" | "id";
                orderDir?: "asc" | "desc";
                search?: string;
                skip?: number;
                status?: components["schemas"]["TagStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTagsResponse"];
                };
            };
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTagRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTagResponse"];
                };
            };
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTagResponse"];
                };
            };
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTagRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTagResponse"];
                };
            };
        };
    };
    archiveTag: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTasks: {
        parameters: {
            query?: {
                after?: string;
                confidenceLevel?: components["schemas"]["MetricLevel"][];
                definitionId?: string[];
                evalDefinitionId?: string[];
                healthScoreLevel?: components["schemas"]["MetricLevel"][];
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "type" | "lastTest" | "id";
                orderDir?: "asc" | "desc";
                scheduleCriticality?: ("LOW" | "MEDIUM" | "HIGH")[];
                search?: string;
                skip?: number;
                stabilityLevel?: components["schemas"]["MetricLevel"][];
                status?: ("DEDUCED" | "DRAFT" | "ACTIVE" | "ARCHIVED" | "success" | "warning" | "error" | "no-tests")[];
                tagId?: string[];
                topicId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTasksResponse"];
                };
            };
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaskRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTaskResponse"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTaskResponse"];
                };
            };
        };
    };
    updateTask: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTaskRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTaskResponse"];
                };
            };
        };
    };
    archiveTask: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTaskSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTaskScheduleResponse"];
                };
            };
        };
    };
    putTaskSchedule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutTaskScheduleRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutTaskScheduleResponse"];
                };
            };
        };
    };
    deleteTaskSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTaskTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTaskTagsResponse"];
                };
            };
        };
    };
    setTaskTags: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetTaskTagsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetTaskTagsResponse"];
                };
            };
        };
    };
    createTaskFromTrace: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaskFromTraceRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTaskFromTraceResponse"];
                };
            };
        };
    };
    importTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportTasksRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportTasksResponse"];
                };
            };
        };
    };
    tagTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagTasksRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    triggerTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerTasksRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    untagTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UntagTasksRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTests: {
        parameters: {
            query?: {
                after?: string;
                endDate?: string;
                errorCause?: components["schemas"]["ErrorCause"][];
                evalDefinitionId?: string[];
                evalOutcome?: components["schemas"]["TestOutcome"][];
                experimentVariantId?: string[];
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "status" | "id" | "outcome" | "cost" | "durationMs";
                orderDir?: "asc" | "desc";
                outcome?: components["schemas"]["TestOutcome"][];
                passRateStatuses?: ("success" | "warning" | "error")[];
                runId?: string[];
                runType?: components["schemas"]["RunType"][];
                skip?: number;
                startDate?: string;
                status?: components["schemas"]["ResultStatus"][];
                store?: "archive";
                tagId?: string[];
                taskId?: string[];
                topicId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTestsResponse"];
                };
            };
        };
    };
    getTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTestResponse"];
                };
            };
        };
    };
    downloadTests: {
        parameters: {
            query?: {
                after?: string;
                endDate?: string;
                errorCause?: components["schemas"]["ErrorCause"][];
                evalDefinitionId?: string[];
                evalOutcome?: components["schemas"]["TestOutcome"][];
                experimentVariantId?: string[];
                format?: "jsonl" | "parquet";
                outcome?: components["schemas"]["TestOutcome"][];
                passRateStatuses?: ("success" | "warning" | "error")[];
                runId?: string[];
                runType?: components["schemas"]["RunType"][];
                startDate?: string;
                status?: components["schemas"]["ResultStatus"][];
                store?: "archive";
                tagId?: string[];
                taskId?: string[];
                topicId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": components["schemas"]["ExportedTest"][];
                    "application/x-ndjson": string;
                };
            };
        };
    };
    recordResults: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordResultsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordResultsResponse"];
                };
            };
        };
    };
    listTopics: {
        parameters: {
            query?: {
                after?: string;
                isInScope?: boolean;
                isKnowledgeBaseVerified?: boolean;
                isPoliciesVerified?: boolean;
                isTasksVerified?: boolean;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                status?: components["schemas"]["TopicStatus"][];
                title?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTopicsResponse"];
                };
            };
        };
    };
    createTopic: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTopicRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTopicResponse"];
                };
            };
        };
    };
    updateTopics: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTopicsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTopicsResponse"];
                };
            };
        };
    };
    getTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTopicResponse"];
                };
            };
        };
    };
    updateTopic: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTopicRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTopicResponse"];
                };
            };
        };
    };
    archiveTopic: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ArchiveTopicRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTraces: {
        parameters: {
            query?: {
                after?: string;
                consistency?: "indexed";
                endDate?: string;
                environment?: string;
                externalEvaluation?: string;
                externalLabel?: string;
                feedbackThumb?: components["schemas"]["FeedbackThumb"];
                hasError?: boolean;
                hasFeedback?: boolean;
                limit?: number;
                maxCost?: number;
                maxDuration?: number;
                maxExternalScore?: number;
                maxFeedbackScore?: number;
                maxScore?: number;
                metadataKey?: string;
                metadataValue?: string;
                minCost?: number;
                minDuration?: number;
                minExternalScore?: number;
                minFeedbackScore?: number;
                minScore?: number;
                orderBy?: "createdAt" | "modifiedAt" | "timestamp" | "totalCost" | "totalDurationMs" | "stepCount" | "id";
                orderDir?: "asc" | "desc";
                referenceId?: string;
                search?: string;
                service?: string;
                session?: string;
                sessionId?: string;
                skip?: number;
                startDate?: string;
                store?: "archive";
                testId?: string;
                user?: string;
                version?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTracesResponse"];
                };
            };
        };
    };
    getTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTraceResponse"];
                };
            };
        };
    };
    deleteTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTraceAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    recordTraceFeedback: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RecordTraceFeedbackRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordTraceFeedbackResponse"];
                };
            };
        };
    };
    listTraceSteps: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                skip?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTraceStepsResponse"];
                };
            };
        };
    };
    testTracePaths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestTracePathsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestTracePathsResponse"];
                };
            };
        };
    };
    getTraceByTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTraceByTestResponse"];
                };
            };
        };
    };
    deleteTraces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteTracesRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTracesResponse"];
                };
            };
        };
    };
    getTraceDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTraceDeletionResponse"];
                };
            };
        };
    };
    downloadTraces: {
        parameters: {
            query?: {
                after?: string;
                consistency?: "indexed";
                createdFrom?: string;
                createdUntil?: string;
                endDate?: string;
                environment?: string;
                externalEvaluation?: string;
                externalLabel?: string;
                feedbackThumb?: components["schemas"]["FeedbackThumb"];
                format?: "jsonl" | "parquet";
                hasError?: boolean;
                hasFeedback?: boolean;
                maxCost?: number;
                maxDuration?: number;
                maxExternalScore?: number;
                maxFeedbackScore?: number;
                maxScore?: number;
                metadataKey?: string;
                metadataValue?: string;
                minCost?: number;
                minDuration?: number;
                minExternalScore?: number;
                minFeedbackScore?: number;
                minScore?: number;
                referenceId?: string;
                search?: string;
                service?: string;
                session?: string;
                sessionId?: string;
                startDate?: string;
                store?: "archive";
                testId?: string;
                user?: string;
                version?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": components["schemas"]["ExportedStep"][];
                    "application/x-ndjson": string;
                };
            };
        };
    };
    readCatalogRows: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadCatalogRowsResponse"];
                };
            };
        };
    };
    importCatalogRows: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportCatalogRowsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportCatalogRowsResponse"];
                };
            };
        };
    };
    readResultRows: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadResultRowsResponse"];
                };
            };
        };
    };
    importResultRows: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportResultRowsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResultRowsResponse"];
                };
            };
        };
    };
    readTraceRows: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadTraceRowsResponse"];
                };
            };
        };
    };
    importTraceRows: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportTraceRowsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportTraceRowsResponse"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                orderBy?: "createdAt" | "modifiedAt" | "name" | "id";
                orderDir?: "asc" | "desc";
                search?: string;
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUsersResponse"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUserResponse"];
                };
            };
        };
    };
    validateWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateWebhookResponse"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookResponse"];
                };
            };
        };
    };
    setWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetWebhookResponse"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                after?: string;
                endDate?: string;
                kind?: components["schemas"]["DeliveryKind"][];
                limit?: number;
                orderBy?: "createdAt" | "id";
                orderDir?: "asc" | "desc";
                skip?: number;
                startDate?: string;
                status?: components["schemas"]["DeliveryStatus"][];
                testId?: string[];
                type?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeliveriesResponse"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDeliveryResponse"];
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendDeliveryResponse"];
                };
            };
        };
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverDeliveriesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoverDeliveriesResponse"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSecretResponse"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookResponse"];
                };
            };
        };
    };
    exportLogsV1Logs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportMetricsV1Metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    exportTracesV1Traces: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
}
