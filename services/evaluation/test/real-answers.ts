// Unusual answers of real servers and routers, from their documentation and issues, with how they must be handled.

import type { Charge, Read } from "./absurd-answers.ts";

export interface RealAnswer {
  readonly name: string;
  readonly source: string;
  readonly body: object;
  readonly read: Read;
  readonly charge: Charge;
  /** Number of tokens, if the answer reports it. */
  readonly tokens?: number;
}

const content = JSON.stringify({ quotes: ["It costs 12 euros"], rationale: "It is friendly.", choice: "Y" });
const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];

export const realAnswers: readonly RealAnswer[] = [
  {
    name: "OpenRouter: cost and details of tokens",
    source: "https://openrouter.ai/docs/use-cases/usage-accounting",
    body: {
      choices,
      usage: {
        completion_tokens: 2,
        completion_tokens_details: { reasoning_tokens: 0 },
        cost: 0.95,
        cost_details: { upstream_inference_cost: 19 },
        prompt_tokens: 194,
        total_tokens: 196,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 100, audio_tokens: 0 },
      },
    },
    read: "judged",
    charge: "reported",
    tokens: 196,
  },
  {
    name: "OpenRouter: fractions of tokens",
    source: "https://github.com/BerriAI/litellm/issues/28024",
    body: { choices, usage: { prompt_tokens: 12, completion_tokens: 14_417.92, total_tokens: 14_429.92 } },
    read: "judged",
    charge: "mixed",
  },
  {
    name: "EasyLLM for Bedrock: a quarter of a token",
    source: "https://github.com/philschmid/easyllm/issues/40",
    body: { choices, usage: { prompt_tokens: 9, completion_tokens: 2.25, total_tokens: 11.25 } },
    read: "judged",
    charge: "mixed",
  },
  {
    name: "OpenRouter: an error in an answer of status 200",
    source: "https://github.com/nodetool-ai/nodetool/pull/5755",
    body: { error: { message: "Provider returned error", code: 502, metadata: { provider_name: "BaseTen" } } },
    read: "model_unavailable later",
    charge: "none",
  },
  {
    name: "9Router: choices null in an answer of status 200",
    source: "https://github.com/decolua/9router/issues/2727",
    body: { id: null, choices: null, created: null, model: null, object: null, usage: null },
    read: "not_a_completion later",
    charge: "estimated",
  },
  {
    name: "CLIProxyAPI for Gemini: tokens of reasoning in the total alone",
    source: "https://github.com/router-for-me/CLIProxyAPI/issues/5733",
    body: {
      choices,
      usage: {
        completion_tokens: 0,
        total_tokens: 81,
        prompt_tokens: 21,
        completion_tokens_details: { reasoning_tokens: 60 },
      },
    },
    read: "judged",
    charge: "reported",
    tokens: 81,
  },
  {
    name: "Gemini's compatible endpoint: neither message nor completion tokens",
    source: "https://github.com/agentgateway/agentgateway/pull/1465",
    body: {
      choices: [{ finish_reason: "length", index: 0 }],
      usage: { prompt_tokens: 30, total_tokens: 78 },
    },
    read: "answer_cut",
    charge: "reported",
    tokens: 78,
  },
  {
    name: "Foundry Local: usage null",
    source: "https://github.com/microsoft/foundry-local/issues/173",
    body: { choices, usage: null },
    read: "judged",
    charge: "estimated",
  },
  {
    name: "Ollama: no prompt tokens where the prompt was cached",
    source: "https://github.com/ollama/ollama/issues/5370",
    body: {
      id: "chatcmpl-1",
      system_fingerprint: "fp_ollama",
      choices,
      usage: { prompt_tokens: 0, completion_tokens: 26, total_tokens: 26 },
    },
    read: "judged",
    charge: "mixed",
  },
  {
    name: "Hugging Face's router: a fraction of a second as time",
    source: "https://github.com/mlcommons/modelbench/issues/1287",
    body: {
      created: 1_757_876_416.566_108_2,
      choices,
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    },
    read: "judged",
    charge: "reported",
    tokens: 120,
  },
  {
    name: "LiteLLM for Azure: details null",
    source: "https://github.com/BerriAI/litellm/issues/15376",
    body: {
      choices,
      usage: {
        completion_tokens: 204,
        prompt_tokens: 12,
        total_tokens: 216,
        completion_tokens_details: null,
        prompt_tokens_details: { audio_tokens: null, cached_tokens: 0, text_tokens: null, image_tokens: null },
      },
    },
    read: "judged",
    charge: "reported",
    tokens: 216,
  },
];
