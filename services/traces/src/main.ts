import { serve } from "@ems/kit/serve";
import { tracesConfig, tracesPeers } from "./config.ts";
import { createTraces } from "./service.ts";

const { env } = process;
await serve("traces", { config: () => tracesConfig(env), peers: () => tracesPeers(env) }, createTraces);
