export { checkTopics } from "./check-topics.ts";
