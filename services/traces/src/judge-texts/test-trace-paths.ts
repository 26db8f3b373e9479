import type { MessageInitShape } from "@bufbuild/protobuf";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TracePathResultSchema, TraceService } from "@ems/proto/experiments/v1/trace_service";
import { toTraceId, truncateMiddle } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import {
  type PathField,
  parsePaths,
  pathFields,
  readStoredValues,
  requirePaths,
  type StoredValues,
} from "../trace-paths/index.ts";
import { requireTrace } from "../traces/index.ts";
import { pathTexts } from "./path-texts.ts";

type Handler = Handlers<typeof TraceService>["testTracePaths"];

const contextsMax = 20;
const lengthMax = 10_000;

export function testTracePaths({ stores, arrivalRules }: Pick<Deps, "stores" | "arrivalRules">): Handler {
  return async (request, call) => {
    const draft = requirePaths(request);
    const paths = Object.keys(draft).length > 0 ? draft : parsePaths((await arrivalRules.of(call)).paths);
    const trace = await requireTrace(stores, call, toTraceId(request.id));
    const found = await readStoredValues(stores.database, call, trace, paths, pathFields);
    const results = [...found].map(([field, values]) => [field, toResult(field, values)]);
    return { data: Object.fromEntries(results) };
  };
}

function toResult(field: PathField, values: StoredValues): MessageInitShape<typeof TracePathResultSchema> {
  const texts = pathTexts(field, values, field === "context" ? contextsMax : 1);
  return {
    path: values.path.text,
    values: texts.map(({ text }) => truncateMiddle(text, lengthMax)),
    ...definedFields({
      stepId: texts[0]?.stepId ?? undefined,
      reason: texts.length === 0 ? values.explain() : undefined,
    }),
  };
}
