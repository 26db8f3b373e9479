import { newId } from "@ems/kit/id";
import { DocumentTestTriggerService } from "@ems/proto/evaluation/v1/document_test_trigger_service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { DocumentTestType } from "@ems/proto/experiments/v1/document_test";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";

/** Idempotency keys of the started tests. */
const keys: (string | null)[] = [];
const harness = await evaluationHarness(
  {},
  {
    documentTests: {
      startDocumentTest: ({ type }, { requestHeader }) => {
        keys.push(requestHeader.get("idempotency-key"));
        return { data: { id: newId(), type } };
      },
    },
  },
);
const triggers = harness.client(DocumentTestTriggerService);
const connections = harness.client(ModelConnectionService);
const type = DocumentTestType.MECE;

test("without a model connection no test is started, and the error says how to create one", async () => {
  await expect(triggers.triggerDocumentTest({ type }, testCall(testTenant()))).rejects.toMatchObject({
    rawMessage: "The application has no model connection: create one with POST /v0/model-connections",
  });
  expect(keys).toEqual([]);
});

test("experiments starts the test under the caller's key, and a repetition returns the first test", async () => {
  const tenant = testTenant();
  await connections.createModelConnection(
    { name: "Judge", provider: "openai", model: "m", apiKey: "sk-1234" },
    testCall(tenant),
  );
  const key = newId();
  const options = () => {
    const call = testCall(tenant);
    return { ...call, headers: { ...call.headers, "idempotency-key": key } };
  };
  const first = await triggers.triggerDocumentTest({ type }, options());
  expect(first.data).toMatchObject({ type });
  expect(await triggers.triggerDocumentTest({ type }, options())).toEqual(first);
  expect(new Set(keys)).toEqual(new Set([key]));
});
