export { lookAtTopics } from "./look-at-topics.ts";
