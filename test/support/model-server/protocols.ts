// Answers in the formats of the two protocols.

import type { ModelRequest } from "./request.ts";
import type { Step } from "./step.ts";

type Answer = Extract<Step, { kind: "answer" }>;

interface Content {
  readonly content: string;
  readonly stop: Answer["stop"];
  readonly usage: Answer["usage"];
}

export function successBody(
  request: ModelRequest,
  { content, stop, usage = getUsage(request, content) }: Content,
): string {
  return JSON.stringify(
    request.protocol === "openai" ? openAi(request, content, stop, usage) : anthropic(request, content, stop, usage),
  );
}

/** Four characters per token, of request and answer. */
export const getUsage = (request: ModelRequest, content: string) => ({
  inputTokens: Math.ceil((request.system.length + request.prompt.length) / 4),
  outputTokens: Math.ceil(content.length / 4),
});

type Usage = ReturnType<typeof getUsage>;

function openAi({ model }: ModelRequest, content: string, stop: Answer["stop"], usage: Usage) {
  const isRefused = stop === "refusal";
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 1_767_225_600,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: isRefused ? null : content, refusal: isRefused ? content : null },
        finish_reason: stop === undefined || isRefused ? "stop" : stop,
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

function anthropic({ model, isTool }: ModelRequest, content: string, stop: Answer["stop"], usage: Usage) {
  const reasons = { length: "max_tokens", refusal: "refusal", content_filter: "refusal" } as const;
  const input = isTool ? parsed(content) : undefined;
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model,
    content: [
      input === undefined ? { type: "text", text: content } : { type: "tool_use", id: "toolu_1", name: "json", input },
    ],
    stop_reason: stop === undefined ? (isTool ? "tool_use" : "end_turn") : reasons[stop],
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function errorBody({ protocol }: ModelRequest, step: Extract<Step, { kind: "error" }>): string {
  const { status, message = `scripted error ${status}`, param = null } = step;
  const type = status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "api_error";
  return JSON.stringify(
    protocol === "openai"
      ? { error: { message, type, param, code: null } }
      : { type: "error", error: { type, message } },
  );
}
