// MLflow Tracing, whose attributes are JSON: texts are in quotation marks.

import { type Convention, collected, dollarsIn, payload, text, typeBy } from "./rule.ts";

export const mlflow: Convention = {
  attributes: {
    "mlflow.spanType": typeBy({
      llm: "llm",
      chat_model: "llm",
      tool: "tool",
      agent: "agent",
      retriever: "retriever",
      reranker: "reranker",
      embedding: "embedding",
      guardrail: "guardrail",
      evaluator: "evaluator",
      memory: "retriever",
      chain: "group",
      parser: "group",
      workflow: "group",
      task: "group",
    }),
    "mlflow.spanInputs": payload("input"),
    "mlflow.spanOutputs": payload("output"),
    "mlflow.llm.model": text("responseModel"),
    "mlflow.llm.provider": text("provider"),
    "mlflow.llm.cost": dollarsIn("total_cost", ["input_cost", "output_cost"]),
    "mlflow.trace.session": text("sessionId"),
    "mlflow.trace.user": text("userId"),
  },
  families: { "mlflow.traceTag": collected("metadata") },
};
