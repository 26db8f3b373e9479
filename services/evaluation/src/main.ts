import { serve } from "@ems/kit/serve";
import { evaluationConfig, evaluationPeers } from "./config.ts";
import { createEvaluation } from "./service.ts";

const { env } = process;
await serve("evaluation", { config: () => evaluationConfig(env), peers: () => evaluationPeers(env) }, createEvaluation);
