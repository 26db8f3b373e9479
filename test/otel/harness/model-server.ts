// A model server in this process: one scripted answer per request, in the formats of OpenAI's and Anthropic's APIs.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export const model = "gpt-5-mini";
export const claude = "claude-sonnet-5";
export const reply = "Transfers abroad cost 5 € — 👍";
export const toolCall = { id: "call_1", name: "fee_of", arguments: { country: "FR" } };
/** Every request below this path fails. */
export const failing = "/failing";
export const failure = "The engine is overloaded";
export const tokens = { input: 21, output: 8 };

interface ModelRequest {
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string }[];
}

export async function startModelServer() {
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ModelRequest;
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url?.startsWith(failing)) return void send(500, { error: { type: "server_error", message: failure } });
    // The model calls the tool once, and answers its result with text.
    const isToolCall = body.tools !== undefined && !body.messages?.some(({ role }) => role === "tool");
    send(200, request.url?.endsWith("/messages") ? anthropicAnswer() : openaiAnswer(isToolCall));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

let answers = 0;

function openaiAnswer(isToolCall: boolean) {
  const call = {
    id: toolCall.id,
    type: "function",
    function: { name: toolCall.name, arguments: JSON.stringify(toolCall.arguments) },
  };
  const message = isToolCall
    ? { role: "assistant", content: null, tool_calls: [call] }
    : { role: "assistant", content: reply };
  return {
    // Each answer has its own id: spans with the same id belong to the same call.
    id: `chatcmpl-${++answers}`,
    object: "chat.completion",
    created: 1_772_443_800,
    model,
    choices: [{ index: 0, message, finish_reason: isToolCall ? "tool_calls" : "stop", logprobs: null }],
    usage: {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
    },
  };
}

function anthropicAnswer() {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: claude,
    content: [{ type: "text", text: reply }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: tokens.input, output_tokens: tokens.output },
  };
}
