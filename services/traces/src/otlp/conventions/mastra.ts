// Mastra: OpenTelemetry's conventions, with the payloads of a span in attributes that contain its type, such as
// `mastra.agent_run.input`.

import { type Convention, text, typeBy } from "./rule.ts";

const payloads = /^[a-z_]+\.(?<part>input|output)$/;

export const mastra: Convention = {
  attributes: {
    "mastra.span.type": typeBy({ scorer_run: "evaluator", scorer_step: "evaluator", mcp_tool_call: "tool" }),
    "mastra.metadata.sessionId": text("sessionId"),
    "mastra.metadata.userId": text("userId"),
  },
  families: {
    mastra: {
      fact: (rest) => {
        const part = payloads.exec(rest)?.groups?.part;
        return part === "input" || part === "output" ? part : undefined;
      },
      read: (value) => value ?? undefined,
    },
  },
};
