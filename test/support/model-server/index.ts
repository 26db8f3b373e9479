export { getSentences, type ScriptedAnswer, scriptedAnswer } from "./answers.ts";
export { type Block, type ModelRequest, readRequest } from "./request.ts";
export { type ModelServer, modelServer } from "./server.ts";
export type { Step } from "./step.ts";
