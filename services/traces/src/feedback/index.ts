export { type FeedbackRow, feedbackEvent } from "./entity.ts";
export { loadFeedback } from "./load-feedback.ts";
export { traceFeedback } from "./messages.ts";
export { type Feedback, feedbackRow, redactFeedback, storeFeedback } from "./store-feedback.ts";
