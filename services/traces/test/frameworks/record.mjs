// Runs the conversations of record.py with a framework for JavaScript. Usage: node record.mjs FRAMEWORK FACTS, in a folder
// with the framework's packages; FACTS is the line that server.py prints.

import { context, trace } from "@opentelemetry/api";

const [framework, facts] = process.argv.slice(2);
const { url, question, failing, fee, session, user } = JSON.parse(facts);
const model = "gpt-5-mini";
const toolText = "Returns the fee of a transfer to a country.";

/** Asks both questions. The second one fails. */
async function run(converse) {
  for (const text of [question, failing]) {
    await converse(text).catch((error) => {
      if (text === failing) return;
      throw error;
    });
  }
}

/** Returns a provider of tracers that exports to the server. */
async function tracing() {
  const { AsyncLocalStorageContextManager } = await import("@opentelemetry/context-async-hooks");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { BatchSpanProcessor, NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "teller" }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return provider;
}

/** Runs `work` in a span of the application that states session and user. */
function inApplicationSpan(work) {
  const attributes = { "session.id": session, "user.id": user };
  return trace.getTracer("teller").startActiveSpan("request", { attributes }, async (span) => {
    try {
      return await work();
    } finally {
      span.end();
    }
  });
}

async function converseWithAiSdk(tools) {
  const provider = await tracing();
  const { generateText, stepCountIs } = await import("ai");
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { OpenTelemetry } = await import("@ai-sdk/otel");
  const chosen = createOpenAI({ apiKey: "none", baseURL: `${url}/v1` })(model);
  await run((prompt) =>
    inApplicationSpan(() =>
      generateText({
        model: chosen,
        system: "Be brief.",
        prompt,
        tools,
        stopWhen: stepCountIs(3),
        maxRetries: 0,
        telemetry: { isEnabled: true, integrations: [new OpenTelemetry()] },
      }),
    ),
  );
  await provider.shutdown();
}

const frameworks = {
  async ai_sdk() {
    const { tool } = await import("ai");
    const { z } = await import("zod");
    const inputSchema = z.object({ country: z.string() });
    await converseWithAiSdk({ get_fee: tool({ description: toolText, inputSchema, execute: async () => fee }) });
  },

  async mcp() {
    const { createMCPClient } = await import("@ai-sdk/mcp");
    const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
    const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
    const { z } = await import("zod");
    const server = new McpServer({ name: "bank", version: "1.0.0" });
    const result = { content: [{ type: "text", text: fee }] };
    const inputSchema = { country: z.string() };
    server.registerTool("get_fee", { description: toolText, inputSchema }, async () => result);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await server.connect(serverSide);
    const client = await createMCPClient({ transport: clientSide });
    await converseWithAiSdk(await client.tools());
    await client.close();
  },

  async mastra() {
    const { Mastra } = await import("@mastra/core/mastra");
    const { Agent } = await import("@mastra/core/agent");
    const { createTool } = await import("@mastra/core/tools");
    const { Observability } = await import("@mastra/observability");
    const { OtelExporter } = await import("@mastra/otel-exporter");
    const { createOpenAI } = await import("@ai-sdk/openai");
    const { z } = await import("zod");
    const inputSchema = z.object({ country: z.string() });
    const tool = createTool({ id: "get_fee", description: toolText, inputSchema, execute: async () => fee });
    const chosen = createOpenAI({ apiKey: "none", baseURL: `${url}/v1` })(model);
    const custom = { endpoint: `${url}/v1/traces`, protocol: "http/protobuf", headers: {} };
    const exporters = [new OtelExporter({ provider: { custom }, signals: { logs: false } })];
    const mastra = new Mastra({
      logger: false,
      agents: {
        teller: new Agent({
          id: "teller",
          name: "teller",
          instructions: "Be brief.",
          model: chosen,
          tools: { get_fee: tool },
          maxRetries: 0,
        }),
      },
      observability: new Observability({ configs: { otel: { serviceName: "teller", exporters } } }),
    });
    const metadata = { threadId: session, sessionId: session, userId: user };
    await run(async (text) => {
      const { error } = await mastra.getAgent("teller").generate(text, { tracingOptions: { metadata } });
      if (error !== undefined) throw error;
    });
    await mastra.observability.shutdown();
  },
};

await frameworks[framework]();
