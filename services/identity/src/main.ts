import { serve } from "@ems/kit/serve";
import { identityConfig } from "./config.ts";
import { createIdentity } from "./service.ts";

await serve("identity", { config: () => identityConfig(process.env), peers: () => ({}) }, createIdentity);
