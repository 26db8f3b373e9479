// Conversations in recorded exports of frameworks (../../test/frameworks/README.md).

import { expect, test } from "vitest";
import {
  columns,
  listRecordings,
  readLosses,
  readRecording,
  splitName,
  toCells,
} from "../../test/frameworks/read-recording.ts";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();

test.each(listRecordings())("%s: question, answer, tools, tokens, cost, session and error", async (name) => {
  const { framework } = splitName(name);
  const cells = toCells(await readRecording(harness, name), framework);
  const wrong = columns.filter((column) => cells[column] !== undefined).map((column) => [column, cells[column]]);
  const lost = Object.keys(readLosses(framework));
  expect(wrong.filter(([column = ""]) => !lost.includes(column))).toEqual([]);
  // A loss that no longer happens must not stay in the table.
  expect(wrong.map(([column]) => column)).toEqual(expect.arrayContaining(lost));
});

const titles: Readonly<Record<string, string>> = {
  agent_framework: "Microsoft Agent Framework, built-in tracing",
  ai_sdk: "AI SDK with its package for OpenTelemetry",
  autogen: "AutoGen with OpenInference",
  claude_agent_sdk: "Claude Agent SDK with OpenInference",
  crewai: "CrewAI with OpenInference (CrewAI and OpenAI)",
  dspy: "DSPy with OpenInference (DSPy and LiteLLM)",
  google_adk: "Google ADK with OpenInference",
  google_adk_builtin: "Google ADK, built-in tracing with message content",
  haystack: "Haystack with OpenInference",
  laminar: "Laminar SDK",
  langfuse: "Langfuse SDK",
  langgraph: "LangGraph with OpenInference",
  langgraph_openllmetry: "LangGraph with OpenLLMetry",
  llama_index: "LlamaIndex with OpenInference",
  mastra: "Mastra with its exporter",
  mcp: "MCP tools in the AI SDK",
  mlflow: "MLflow Tracing",
  openai_agents: "OpenAI Agents SDK with OpenInference",
  pydantic_ai: "Pydantic AI, built-in tracing",
  semantic_kernel: "Semantic Kernel, built-in tracing",
  smolagents: "smolagents with OpenInference",
  strands: "Strands Agents, built-in tracing",
};

test("the guide lists each framework and version", async () => {
  const rows = listRecordings().map((name) => {
    const { framework, version } = splitName(name);
    const lost = readLosses(framework);
    return [titles[framework] ?? framework, version, ...columns.map((column) => lost[column] ?? "yes")];
  });
  const all = [["Framework", "Version", ...columns], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const text = `# Frameworks

Traces of these frameworks have been recorded with the versions below, and a test compares what is stored with the truth. “yes” means that question, answer,
arguments and results of tools, tokens (each call once), cost, session and user, and errors are right. Other cells say what the spans of the framework lack.

${[line(all[0] ?? []), rule, ...rows.map(line)].join("\n")}

To send traces, set the exporter's endpoint to \`/v0/otel\` and its header to \`authorization: Bearer KEY\`. Langfuse's SDKs need \`LANGFUSE_BASE_URL\` and the key as
\`LANGFUSE_SECRET_KEY\`; Laminar's need \`base_url\` with the gRPC port and the key as \`project_api_key\`; MLflow needs \`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\`.
Google ADK records messages with \`OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental\` and \`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY\`.

No setting of the packages adds what is missing in two rows. Haystack's agent runs tools in a function that OpenInference does not trace. The OpenAI Agents SDK states the
question of its Responses model only after an answer; its \`OpenAIChatCompletionsModel\` states it before the call.

Traces that contain only health checks, preparations of MCP sessions (\`initialize\`, \`tools/list\`) or the creation of agents are not stored: they are no conversations.

This page is generated: \`npm test -- --project unit services/traces/src/otlp/frameworks -u\`.
\`services/traces/test/frameworks/record.sh\` records newer versions.
`;
  await expect(text).toMatchFileSnapshot("../../../../deploy/guides/frameworks.md");
});
