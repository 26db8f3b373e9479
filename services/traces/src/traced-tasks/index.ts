export { createTaskFromTrace } from "./create-task-from-trace.ts";
