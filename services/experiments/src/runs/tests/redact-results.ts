import type { JsonObject } from "@bufbuild/protobuf";
import type { Redactor } from "@ems/kit/redaction";
import type { RecordResultsRequest } from "@ems/proto/experiments/v1/test_service";

/** Applies the application's redaction rules to the texts of recorded results. */
export async function redactResults(
  redactor: Redactor | undefined,
  applicationId: string,
  request: RecordResultsRequest,
): Promise<RecordResultsRequest> {
  if (redactor === undefined) return request;
  return redactor.redact(applicationId, "result", function* (redaction) {
    const tests: typeof request.tests = [];
    for (const test of request.tests) {
      const evaluations: typeof test.evaluations = [];
      for (const evaluation of test.evaluations) {
        const { message, results } = evaluation;
        evaluations.push({
          ...evaluation,
          ...(message !== undefined && { message: yield* redaction.text(message) }),
          // Safe cast: redacting an object returns an object.
          ...(results !== undefined && { results: (yield* redaction.value(results)) as JsonObject }),
        });
      }
      tests.push({ ...test, evaluations });
    }
    const { run } = request;
    const title = run?.title === undefined ? undefined : yield* redaction.text(run.title);
    return { ...request, tests, ...(run && title !== undefined && { run: { ...run, title } }) };
  });
}
