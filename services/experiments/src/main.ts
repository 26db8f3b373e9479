import { serve } from "@ems/kit/serve";
import { experimentsConfig, experimentsPeers } from "./config.ts";
import { createExperiments } from "./service.ts";

const { env } = process;
await serve(
  "experiments",
  { config: () => experimentsConfig(env), peers: () => experimentsPeers(env) },
  createExperiments,
);
