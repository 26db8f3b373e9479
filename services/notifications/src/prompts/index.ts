export { PromptOutcomeEntity } from "./entity.ts";
export { isPrompt, promptHandler } from "./event-handler.ts";
export { startReporter } from "./reporter.ts";
