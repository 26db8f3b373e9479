export { loadFeedback } from "./load-feedback.ts";
export { traceFeedback } from "./messages.ts";
export { readLogFeedback, readSpanFeedback } from "./read-feedback.ts";
export { recordTraceFeedback } from "./record-trace-feedback.ts";
export { type Feedback, redactFeedback, storeFeedback } from "./store-feedback.ts";
