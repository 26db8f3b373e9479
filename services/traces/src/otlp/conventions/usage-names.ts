// Usage in all other spellings: of earlier versions, of further SDKs, and of the raw responses of providers.

import type { Convention } from "./rule.ts";
import { dollars, text, tokens, tokensByName, usageObject } from "./rule.ts";

export const usageNames: Convention = {
  attributes: {
    "gen_ai.provider.name": text("provider"),
    "gen_ai.system": text("provider"),
    "llm.provider": text("provider"),
    "llm.system": text("provider"),
    "ai.model.provider": text("provider"),
    // Spans that Anthropic's SDK creates.
    "anthropic.usage.cache_creation.ephemeral_1h_input_tokens": tokens("hourWriteTokens"),
    "gen_ai.usage.total_cost": dollars("cost"),
    "gen_ai.cost.total_cost": dollars("cost"),
    "gen_ai.usage": usageObject(),
    "llm.usage": usageObject(),
    usage: usageObject(),
    "gen_ai.usage.raw": usageObject(),
    "langfuse.observation.usage_details": usageObject({ isDisjoint: true }),
    "mlflow.chat.tokenUsage": usageObject(),
    "mlflow.trace.tokenUsage": usageObject(),
  },
  families: {
    "gen_ai.usage": tokensByName,
    "gen_ai.aggregated_usage": tokensByName,
    "llm.usage": tokensByName,
    "llm.token_count": tokensByName,
    "ai.usage": tokensByName,
  },
};
