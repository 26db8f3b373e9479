export { lookAtTopics } from "./check-topics.ts";
