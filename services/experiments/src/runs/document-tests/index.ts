import { type Mount, mount } from "@ems/kit/rpc/service";
import { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import { DocumentTestService } from "@ems/proto/experiments/v1/document_test_service";
import type { Deps } from "../../deps.ts";
import { getDocumentQuestions } from "./get-document-questions.ts";
import { getDocumentTest } from "./get-document-test.ts";
import { listDocumentTests } from "./list-document-tests.ts";
import { planDocumentTest } from "./plan-document-test.ts";
import { recordDocumentAnswers } from "./record-document-answers.ts";
import { startDocumentTest } from "./start-document-test.ts";

export { confirmDocumentTests, documentTestQueue, type OfferedTest } from "./offers.ts";

export const documentTests = (deps: Deps): Mount =>
  mount(DocumentTestService, { getDocumentTest: getDocumentTest(deps), listDocumentTests: listDocumentTests(deps) });

/** Internal RPCs for document tests, called by evaluation. */
export const documentTestExecution = (deps: Deps): Mount =>
  mount(DocumentTestExecutionService, {
    startDocumentTest: startDocumentTest(deps),
    planDocumentTest: planDocumentTest(deps),
    getDocumentQuestions: getDocumentQuestions(deps),
    recordDocumentAnswers: recordDocumentAnswers(deps),
  });
