import { serve } from "@ems/kit/serve";
import { catalogConfig, catalogPeers } from "./config.ts";
import { createCatalog } from "./service.ts";

const { env } = process;
await serve("catalog", { config: () => catalogConfig(env), peers: () => catalogPeers(env) }, createCatalog);
