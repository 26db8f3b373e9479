import { serve } from "@ems/kit/serve";
import { reportingConfig, reportingPeers } from "./config.ts";
import { createReporting } from "./service.ts";

const { env } = process;
await serve("reporting", { config: () => reportingConfig(env), peers: () => reportingPeers(env) }, createReporting);
