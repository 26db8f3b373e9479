import { type Mount, mount } from "@ems/kit/rpc/service";
import { DocumentTestTriggerService } from "@ems/proto/evaluation/v1/document_test_trigger_service";
import type { Deps } from "../deps.ts";
import { triggerDocumentTest } from "./trigger-document-test.ts";

export const documentTestTriggers = (deps: Deps): Mount =>
  mount(DocumentTestTriggerService, { triggerDocumentTest: triggerDocumentTest(deps) });
