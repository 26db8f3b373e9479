import { serve } from "@ems/kit/serve";
import { reportingConfig } from "./config.ts";
import { createReporting } from "./service.ts";

await serve("reporting", { config: () => reportingConfig(process.env), peers: () => ({}) }, createReporting);
